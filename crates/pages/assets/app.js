// Conveniences only: every page works without. Texts come from the page.
(() => {
  "use strict";
  const doc = document, root = doc.documentElement;
  root.classList.add("js");

  const all = (selector, within = doc) => [...within.querySelectorAll(selector)];
  const up = (e, selector) => e.target instanceof Element && e.target.closest(selector);
  const hear = (what, event, act) => what.addEventListener(event, act);
  const on = (event, selector, act) => hear(doc, event, (e) => up(e, selector) && act(up(e, selector), e));

  // For screen readers.
  const voice = doc.createElement("div");
  voice.className = "hidden";
  voice.role = "status";
  doc.body.append(voice);
  const say = (text) => (voice.textContent = text);

  // A piece of page from this server. Redirected means signed out: nothing changes.
  const fragment = async (url, options) => {
    const answer = await fetch(url, { ...options, headers: { "X-Fragment": "1" } });
    if (answer.redirected || !(answer.ok || answer.status === 422)) throw new Error(answer.status);
    const holder = doc.createElement("template");
    holder.innerHTML = await answer.text();
    return holder.content;
  };

  // <a class="how">: opens the explanation of a figure beside the page.
  const panel = doc.createElement("dialog");
  panel.className = "panel";
  panel.setAttribute("aria-labelledby", "explained");
  doc.body.append(panel);
  on("click", "a.how", async (link, e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
    e.preventDefault();
    link.ariaBusy = "true";
    try {
      panel.replaceChildren(await fragment(link.href));
      link.focus();
      panel.showModal();
      panel.scrollTop = 0;
    } catch {
      location.assign(link.href);
    }
    link.ariaBusy = null;
  });
  on("click", "[data-close]", () => panel.close());
  // Beside it.
  hear(panel, "click", (e) => e.target === panel && panel.close());

  // <button data-copy="ID" data-copied="Copied">
  on("click", "[data-copy]", async (button) => {
    const source = doc.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText((source.value ?? source.textContent).trim());
      say((button.textContent = button.dataset.copied));
    } catch {
      // No leave to copy: select it, so that one key press remains.
      getSelection().selectAllChildren(source);
    }
  });

  // <form data-live="URL, or empty for its own" data-target="ID">
  const live = new WeakMap();
  const refresh = async (form, signal, { live: address, target: id } = form.dataset) => {
    // A form in the table may be closed by now.
    if (!form.isConnected) return;
    const target = doc.getElementById(id);
    const fields = new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === "string"));
    const url = new URL(address || form.getAttribute("action") || "", location.href);
    const post = form.method === "post";
    if (!post) url.search = fields;
    target.ariaBusy = "true";
    try {
      const content = await fragment(url, { signal, ...(post && { method: "POST", body: fields }) });
      // Parts for other places: beside a field, with its placeholder.
      for (const part of [...content.children].filter((part) => part.dataset.swap)) {
        const { swap, placeholder } = part.dataset, before = doc.getElementById(part.id);
        if (before && placeholder !== before.dataset.placeholder) doc.getElementById(swap).placeholder = placeholder;
        if (before?.outerHTML === part.outerHTML || !before) part.remove();
        else before.replaceWith(part);
      }
      const focus = target.contains(doc.activeElement) && doc.activeElement.id;
      target.replaceWith(content);
      if (focus) doc.getElementById(focus)?.focus();
    } catch {
      if (!signal.aborted) target.ariaBusy = null;
    }
  };
  on("input", "form[data-live]", (form) => {
    const last = live.get(form), abort = new AbortController();
    last?.abort.abort();
    clearTimeout(last?.timer);
    live.set(form, { abort, timer: setTimeout(() => refresh(form, abort.signal), 250) });
  });

  // <a data-edit="ROW">: its form opens in the table, in place of the row. Escape cancels.
  const editor = () => doc.querySelector("tr.editor");
  const cancel = () => {
    const row = editor().previousElementSibling;
    editor().remove();
    row.hidden = false;
    all("[data-edit]", row)[0].focus();
  };
  const fill = (content) => {
    all(".in-list", editor())[0].replaceChildren(content);
    all("input[data-suggest]", editor()).forEach(combobox);
    all("[role=alert] :is(a, button), #entry-fields :is(input, select):not([type=hidden])", editor())[0]?.focus();
  };
  on("click", "a[data-edit]", async (link, e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
    e.preventDefault();
    const row = link.closest("tr"), opened = doc.createElement("tr");
    link.ariaBusy = "true";
    try {
      const content = await fragment(link.href);
      if (editor()) cancel();
      opened.className = "editor";
      opened.innerHTML = `<td colspan="${row.cells.length}"><div class="in-list" role="group"></div></td>`;
      all(".in-list", opened)[0].ariaLabel = link.ariaLabel;
      row.after(opened);
      row.hidden = true;
      fill(content);
    } catch {
      location.assign(link.href);
    }
    link.ariaBusy = null;
  });
  on("click", ".editor [data-cancel]", (link, e) => (e.preventDefault(), cancel()));
  on("submit", ".editor form", async (form, e) => {
    e.preventDefault();
    if (form.ariaBusy) return;
    form.ariaBusy = "true";
    try {
      const body = new URLSearchParams([...new FormData(form, e.submitter)]);
      const content = await fragment(form.action, { method: "POST", body });
      const saved = content.querySelector("[data-saved]");
      if (!saved) return fill(content);
      doc.getElementById("list").replaceWith((await fragment(location.href)).getElementById("list"));
      (doc.querySelector(`[data-edit="${saved.dataset.saved}"]`) ?? doc.getElementById("main")).focus();
      say(saved.textContent);
    } catch {
      form.submit();
    }
  });

  // <fieldset data-switch="URL" data-target="ID">: the part of its form that depends on the choice.
  const switches = new WeakMap();
  on("change", "fieldset[data-switch]", async (choice) => {
    const abort = new AbortController(), { switch: live, target } = choice.dataset;
    switches.get(choice)?.abort();
    switches.set(choice, abort);
    await refresh(choice.form, abort.signal, { live, target });
    if (!abort.signal.aborted) choice.form.dispatchEvent(new Event("input", { bubbles: true }));
  });

  // <select data-auto-submit>: as by the button beside it, where there is one.
  on("change", "[data-auto-submit]", (field) => field.form.requestSubmit(all("button", field.parentElement)[0]));

  // <button data-confirm="Really?">: the first press asks, the second acts; leaving it, or Escape, takes it back.
  const calm = (button) => {
    if (!button.dataset.asked) return;
    button.textContent = button.dataset.label;
    button.classList.remove("asking");
    delete button.dataset.asked;
  };
  on("click", "button[data-confirm]", (button, e) => {
    const { asked, confirm } = button.dataset;
    // A double click is one press.
    if (e.timeStamp - asked > 400) return;
    e.preventDefault();
    if (asked) return;
    Object.assign(button.dataset, { label: button.textContent, asked: e.timeStamp });
    button.classList.add("asking");
    button.focus();
    say((button.textContent = confirm));
  });
  on("focusout", "button[data-confirm]", calm);

  // <input type="checkbox" data-pick="ID of a form">: ticks the boxes of that form.
  const picks = (pick) => all(`input[type=checkbox][form="${pick.dataset.pick}"]`);
  on("change", "[data-pick]", (pick) => picks(pick).forEach((box) => (box.checked = pick.checked)));
  on("change", "input[form]", () => {
    for (const pick of all("[data-pick]")) {
      const ticked = picks(pick).filter((box) => box.checked).length;
      pick.checked = ticked > 0 && ticked === picks(pick).length;
      pick.indeterminate = ticked > 0 && !pick.checked;
    }
  });

  // What is sent once is not sent twice.
  const free = (form) => {
    delete form.dataset.sent;
    form.ariaBusy = null;
  };
  on("submit", "form[method=post]", (form, e) => {
    if (e.defaultPrevented || "download" in (e.submitter?.dataset ?? {})) return;
    if (form.dataset.sent) return e.preventDefault();
    form.dataset.sent = "1";
    form.ariaBusy = "true";
    setTimeout(free, 10000, form);
  });
  hear(window, "pageshow", () => all("form[data-sent]").forEach(free));

  // <form data-drop> with a file input: what is dropped on it is sent.
  for (const event of ["dragover", "drop", "dragleave"])
    hear(doc, event, (e) => {
      if (!doc.querySelector("[data-drop]") || !e.dataTransfer?.types.includes("Files")) return;
      e.preventDefault();
      const zone = up(e, "[data-drop]"), input = zone && all("input[type=file]", zone)[0];
      all("[data-drop]").forEach((each) => each.classList.toggle("over", each === zone && event === "dragover"));
      if (event !== "drop" || !input) return;
      const files = new DataTransfer();
      for (const file of [...e.dataTransfer.files].slice(0, input.multiple ? 99 : 1)) files.items.add(file);
      input.files = files.files;
      input.form.requestSubmit();
    });

  // <input data-suggest="URL" data-count="{} matches">: a combobox over <li role="option"><a href>…</a></li>. With data-fill, an
  // option's symbol is filled in; otherwise its link is followed.
  const combobox = (input) => {
    const list = doc.createElement("ul");
    const ariaLabel = input.labels[0]?.textContent;
    Object.assign(list, { id: `${input.id}-list`, className: "suggestions", role: "listbox", ariaLabel, hidden: true });
    input.after(list);
    Object.assign(input, { role: "combobox", ariaAutoComplete: "list", ariaExpanded: "false" });
    input.setAttribute("aria-controls", list.id);
    let active = -1, timer, abort;
    const options = () => all("[role=option]", list);
    const choose = (index) => {
      active = index;
      options().forEach((option, at) => (option.ariaSelected = String(at === index)));
      const option = options()[index];
      input.setAttribute("aria-activedescendant", option?.id ?? "");
      option?.scrollIntoView({ block: "nearest" });
    };
    const show = (open) => {
      list.hidden = !open;
      input.ariaExpanded = String(open);
      choose(-1);
    };
    const fill = (option) => {
      clearTimeout(timer);
      abort?.abort();
      input.value = all(".symbol", option)[0].textContent;
      show(false);
      input.form.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const take = (option) => ("fill" in input.dataset ? fill(option) : all("a", option)[0].click());
    const ask = async () => {
      abort?.abort();
      const { signal } = (abort = new AbortController());
      const url = new URL(input.dataset.suggest, location.href);
      url.searchParams.set("q", input.value.trim());
      try {
        list.replaceChildren(...(input.value.trim() ? [await fragment(url, { signal })] : []));
      } catch {
        if (!signal.aborted) show(false);
        return;
      }
      options().forEach((option, at) => (option.id = `${list.id}-${at}`));
      all("a", list).forEach((link) => (link.tabIndex = -1));
      show(options().length > 0 && doc.activeElement === input);
      say(input.value && (input.dataset.count || "").replace("{}", options().length));
    };
    hear(input, "input", () => {
      clearTimeout(timer);
      timer = setTimeout(ask, 150);
    });
    hear(input, "keydown", (e) => {
      const count = options().length, step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (e.isComposing || !count) return;
      if (step) {
        const from = active < 0 && step < 0 ? 0 : active;
        if (list.hidden) show(true);
        choose((from + step + count) % count);
      } else if (e.key === "Enter" && active >= 0) take(options()[active]);
      else if (e.key === "Tab" && active >= 0 && "fill" in input.dataset) return fill(options()[active]);
      else if (e.key === "Escape" && !list.hidden) show(false);
      else return;
      e.preventDefault();
    });
    hear(input, "blur", () => show(false));
    hear(list, "click", (e) => {
      if (!("fill" in input.dataset) || e.ctrlKey || e.metaKey) return;
      e.preventDefault();
      fill(up(e, "[role=option]"));
    });
    hear(list, "mousedown", (e) => e.preventDefault());
  };
  all("input[data-suggest]").forEach(combobox);

  // On a phone: the current page among the tabs, and the newest columns of a table.
  all(":is(nav.primary, .subnav) [aria-current]").forEach((tab) => {
    const tabs = tab.parentElement;
    tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
  });
  all(".scroll.recent").forEach((table) => (table.scrollLeft = table.scrollWidth));

  // `/` is silent in fields, and everywhere with <html data-shortcuts="off">.
  hear(doc, "keydown", (e) => {
    const search = doc.querySelector("input[data-suggest]"), command = e.ctrlKey || e.metaKey;
    const slash = e.key === "/" && !command && root.dataset.shortcuts !== "off" && !up(e, "input, textarea, select");
    if (search && (slash || (command && e.key === "k"))) {
      e.preventDefault();
      search.select();
    }
    if (e.key !== "Escape") return;
    if (up(e, ".editor") && !e.defaultPrevented) cancel();
    all(".asking").forEach(calm);
    all("details.menu[open]").forEach((menu) => {
      menu.open = false;
      menu.firstElementChild.focus();
    });
  });
  hear(doc, "click", (e) => all("details.menu[open]").forEach((menu) => menu.contains(e.target) || (menu.open = false)));
})();

// What came out against what was expected to: nothing may fail that is not listed, and nothing listed may pass.

// A warning is a SHOULD that was not met; it counts like a MUST.
const BAD = ['FAILURE', 'WARNING'];
// A message that the protocol's schema does not allow is wrong whatever it says, so that no list excuses it with its scenario.
const NEVER_EXCUSED = 'wire-schema-valid';

export function compare(run, scenarios, expected) {
  const listed = expected.filter(({ runs }) => runs.includes(run)).flatMap(({ scenarios }) => scenarios);
  const [good, problems] = [[], []];
  for (const [scenario, checks] of scenarios) {
    const bad = checks.filter(({ status }) => BAD.includes(status));
    if (!bad.length && checks.some(isMet)) good.push(scenario);
    for (const check of bad.filter(check => !excuses(listed, scenario, check)))
      problems.push(`${scenario}:${check.id} ${check.errorMessage ?? check.status}`);
  }
  for (const entry of listed) {
    const [scenario, id] = entry.split(':');
    const bad = scenarios.get(scenario)?.filter(check => BAD.includes(check.status) && (!id || check.id === id));
    if (!bad) problems.push(`${entry} is expected to fail and was not run`);
    else if (!bad.length) problems.push(`${entry} passes: strike it off expected-failures.json`);
  }
  return { good, problems };
}

// A scenario that found nothing to look at has not passed.
const isMet = ({ id, status }) => status === 'SUCCESS' && id !== NEVER_EXCUSED;

function excuses(listed, scenario, { id }) {
  return listed.includes(`${scenario}:${id}`) || (listed.includes(scenario) && id !== NEVER_EXCUSED);
}

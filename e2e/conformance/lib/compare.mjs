// Compares the results with expected-failures.json: no unlisted check may fail, and no listed one may pass.

// A warning is a SHOULD that was not met; it counts like a MUST.
const BAD = ['FAILURE', 'WARNING'];
// A message that violates the protocol's schema is always wrong, so listing its scenario does not excuse it.
const NEVER_EXCUSED = 'wire-schema-valid';

export function compare(run, scenarios, expected) {
  const listed = expected.filter(({ runs }) => runs.includes(run)).flatMap(({ scenarios }) => scenarios);
  const [good, problems] = [[], []];
  for (const [scenario, checks] of scenarios) {
    const bad = checks.filter(({ status }) => BAD.includes(status));
    if (!bad.length && checks.some(isMet)) good.push(scenario);
    for (const check of bad.filter(check => !isExcused(listed, scenario, check)))
      problems.push(`${scenario}:${check.id} ${check.errorMessage ?? check.status}`);
  }
  for (const entry of listed) {
    const [scenario, id] = entry.split(':');
    const bad = scenarios.get(scenario)?.filter(check => BAD.includes(check.status) && (!id || check.id === id));
    if (!bad) problems.push(`${entry} is expected to fail but was not run`);
    else if (!bad.length) problems.push(`${entry} passes: remove it from expected-failures.json`);
  }
  return { good, problems };
}

// A scenario without a successful check has not passed.
const isMet = ({ id, status }) => status === 'SUCCESS' && id !== NEVER_EXCUSED;

function isExcused(listed, scenario, { id }) {
  return listed.includes(`${scenario}:${id}`) || (listed.includes(scenario) && id !== NEVER_EXCUSED);
}

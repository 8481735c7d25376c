/** Returns a name such as `Firefox on Linux`, by which people recognize the browser in their list. */
export function nameBrowser(agent: string = navigator.userAgent): string {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => agent.includes(`${name}/`));
  const system = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac OS', 'Linux'].find((name) => agent.includes(name));
  const shown = { Edg: 'Edge', OPR: 'Opera' }[browser ?? ''] ?? browser ?? 'A browser';
  return system === undefined ? shown : `${shown} on ${system}`;
}

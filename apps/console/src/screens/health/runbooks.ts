/** The runbooks to which the health screen links, each loaded when it is opened. */
const FILES = import.meta.glob<string>(
  '../../../../../docs/operate/runbooks/{full-disk,lost-worker,messages-wait,outbox-filling,replica-unused,slow-api,slow-search}.md',
  { query: '?raw', import: 'default' },
);

export type RunbookName =
  'full-disk' | 'lost-worker' | 'messages-wait' | 'outbox-filling' | 'replica-unused' | 'slow-api' | 'slow-search';

/** @throws for a name that is not one of the runbooks */
export async function readRunbook(name: string): Promise<string> {
  const load = Object.entries(FILES).find(([file]) => file.endsWith(`/${name}.md`))?.[1];
  if (load === undefined) throw new Error(`There is no runbook ${name}.`);
  return load();
}

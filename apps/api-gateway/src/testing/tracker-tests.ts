import { TRACKER_KINDS, type TrackerKind } from '@steward/trackers';
import { eventually, startPlayedTracker } from '@steward/testing';
import { useApprovals } from './approval-tests.ts';

type Played = Awaited<ReturnType<typeof startPlayedTracker>>;

/** Name of the repository, and the issue, of each simulated tracker. */
export const PLAYED_PLACES = {
  github: { repository: 'acme/shop', issue: '42', login: 'octo-bot' },
  gitlab: { repository: 'acme/shop', issue: '42', login: 'octo-bot' },
  jira: { repository: 'OPS', issue: 'OPS-42', login: 'bot@acme.test' },
  linear: { repository: 'ENG', issue: 'ENG-42', login: 'bot@acme.test' },
} as const;
export const TOKEN = 'a-token-of-the-tracker-0123456789';
export const PUBLIC_URL = 'https://steward.acme.test';

/** Sets up the test file: four simulated trackers, and a gateway that may call them. */
export function useTrackers(settings: Readonly<Record<string, string>> = {}) {
  const environment: Record<string, string> = { PUBLIC_URL, ...settings };
  const played = new Map<TrackerKind, Played>();
  beforeAll(async () => {
    for (const kind of TRACKER_KINDS) played.set(kind, await startPlayedTracker(kind));
    environment['TRACKER_ALLOW_INSECURE_URLS'] = [...played.values()].map(({ origin }) => origin).join(',');
  });
  const approvals = useApprovals(environment);
  const { call } = approvals;
  afterEach(() => {
    for (const tracker of played.values()) {
      tracker.refuse(undefined);
      tracker.hooks.clear();
    }
  });
  afterAll(async () => {
    for (const tracker of played.values()) await tracker.close();
  });
  const find = (kind: TrackerKind): Played => {
    const tracker = played.get(kind);
    if (tracker === undefined) throw new Error(`${kind} is not played`);
    return tracker;
  };
  const connect = (kind: TrackerKind, fields: object = {}) =>
    call('POST', '/trackers', {
      name: kind,
      kind,
      token: TOKEN,
      base_url: find(kind).origin,
      ...(kind === 'jira' ? { username: 'bot@acme.test' } : {}),
      ...fields,
    });
  return {
    ...approvals,
    played: find,
    connect,
    /** Connects a tracker, and adds a flow that it starts. */
    async addFlow(kind: TrackerKind, fields: Record<string, unknown> = {}) {
      const { body: tracker } = await connect(kind);
      const { status, body } = await call('POST', '/flows', {
        name: `flow of ${kind}`,
        prompt_template: 'x',
        agent_type: 'command',
        agent_config: { command: 'true' },
        trigger: 'tracker',
        tracker_config: { tracker_id: tracker.id, repository: PLAYED_PLACES[kind].repository },
        ...fields,
      });
      expect([status, body]).toEqual([201, expect.anything()]);
      return { flowId: String(body.id), trackerId: String(tracker.id), flow: body };
    },
    readRegistration: async (flowId: string) =>
      ((await call('GET', `/flows/${flowId}`)).body.tracker_config as { registration: Record<string, unknown> } | null)
        ?.registration,
    /** Resolves when the hook of a flow has this state. */
    async waitForState(flowId: string, state: string) {
      return eventually(async () => {
        const { body } = await call('GET', `/flows/${flowId}`);
        const { registration } = body.tracker_config as { registration: Record<string, unknown> };
        return registration['state'] === state ? registration : undefined;
      });
    },
  };
}

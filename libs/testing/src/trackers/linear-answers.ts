import type { PlayTracker } from './play-tracker.ts';

const ISSUE = {
  id: '0d1b3e8a-0000-4000-8000-000000000042',
  identifier: 'ENG-42',
  title: 'Checkout fails for empty carts',
  description: 'Steps: open the cart, press pay.',
  url: 'https://linear.app/acme/issue/ENG-42',
  createdAt: '2026-11-01T13:33:48.000Z',
  updatedAt: '2026-11-02T13:33:48.000Z',
  state: { name: 'Todo' },
  creator: { displayName: 'octo-bot' },
  assignee: { displayName: 'dana' },
  labels: { nodes: [{ name: 'bug' }] },
  comments: {
    nodes: [{ body: 'Seen here, too.', createdAt: '2026-11-01T14:00:00.000Z', user: { displayName: 'dana' } }],
    pageInfo: { hasNextPage: false },
  },
};
const TEAM = '7a000000-0000-4000-8000-000000000001';

const GONE = {
  status: 200,
  body: { errors: [{ message: 'Entity not found: Webhook', extensions: { code: 'INPUT_ERROR' } }] },
};

type Variables = Readonly<Record<string, unknown>> & { readonly input?: Readonly<Record<string, unknown>> };

/** Imitates the GraphQL API of Linear: the requested field selects the response. */
export const linearAnswers: PlayTracker = ({ method, path, body, hooks }) => {
  if (method !== 'POST' || path !== '/graphql') return undefined;
  const variables = (body['variables'] ?? {}) as Variables;
  const asked = /[{]\s*(\w+)/.exec(String(body['query']).replace(/^(query|mutation)\([^)]*\)/, ''))?.[1] ?? '';
  const data = (value: unknown) => ({ status: 200, body: { data: { [asked]: value } } });
  const { input = {} } = variables;
  switch (asked) {
    case 'viewer':
      return data({ name: 'Octo Bot', email: 'bot@acme.test', admin: true });
    case 'teams':
      return data({ nodes: variables['key'] === 'ENG' || variables['key'] === 'OPS' ? [{ id: TEAM }] : [] });
    case 'webhooks':
      return data({ nodes: [...hooks.values()].map(({ id, url }) => ({ id, url })) });
    case 'webhookCreate':
    case 'webhookUpdate': {
      if (asked === 'webhookUpdate' && !hooks.has(String(variables['id']))) return GONE;
      const id = String(variables['id'] ?? `hook-${hooks.size}`);
      hooks.set(id, { id, url: String(input['url']), secret: String(input['secret']), sent: input });
      return data({ success: true, webhook: { id } });
    }
    case 'webhookDelete':
      return hooks.delete(String(variables['id'])) ? data({ success: true }) : GONE;
    case 'issue':
      return data(ISSUE);
    case 'issues':
      return data({ nodes: [ISSUE] });
    case 'issueLabels':
      return data({
        nodes: [
          { id: 'label-1', name: 'triage' },
          { id: 'label-2', name: 'bug' },
        ],
      });
    case 'commentCreate':
      return data({
        success: true,
        comment: { id: 'comment-99', url: 'https://linear.app/acme/issue/ENG-42#comment-99' },
      });
    case 'issueAddLabel':
    case 'issueRemoveLabel':
      return data({ success: true });
    case 'issueCreate':
      return data({ success: true, issue: { identifier: 'ENG-43', url: 'https://linear.app/acme/issue/ENG-43' } });
    default:
      return { status: 400, body: { errors: [{ message: `Cannot query field "${asked}"` }] } };
  }
};

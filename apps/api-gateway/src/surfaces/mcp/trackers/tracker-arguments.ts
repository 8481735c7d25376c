import { Type, type Static } from '@sinclair/typebox';
import type { TrackerToolName } from '@steward/trackers';

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });

const place = {
  tracker: Type.Optional(text(100, 'Name of the tracker. Optional if there is only one tracker.')),
  repository: Type.Optional(
    text(
      500,
      'owner/repository, group/project, or the key of a project or team. Optional for Jira and Linear, where the issue determines it.',
    ),
  ),
};
const issue = { issue: text(100, 'Number of the issue (42); for Jira and Linear its key (OPS-42).') };
const on = {
  on: Type.Optional(
    Type.Unsafe<'issue' | 'change'>({
      type: 'string',
      enum: ['issue', 'change'],
      description: 'Whether the number is that of an issue (default) or of a pull or merge request.',
    }),
  ),
};
const label = { label: text(255, 'Name of the label.') };
const labels = { labels: Type.Optional(Type.Array(text(255, 'A label.'), { maxItems: 20 })) };

const closed = <T extends Parameters<typeof Type.Object>[0]>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

export const TRACKER_ARGUMENTS = {
  read_issue: closed({ ...place, ...issue }),
  list_issues: closed({
    ...place,
    query: Type.Optional(text(500, 'Words to search for.')),
    state: Type.Optional(
      Type.Unsafe<'open' | 'closed' | 'all'>({
        type: 'string',
        enum: ['open', 'closed', 'all'],
        description: 'Default open.',
      }),
    ),
    ...labels,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 20.' })),
  }),
  read_change: closed({ ...place, change: text(100, 'The number of the pull or merge request.') }),
  comment: closed({
    ...place,
    ...issue,
    ...on,
    body: text(60_000, 'Text of the comment (Markdown).'),
  }),
  add_label: closed({ ...place, ...issue, ...on, ...label }),
  remove_label: closed({ ...place, ...issue, ...on, ...label }),
  open_issue: closed({
    ...place,
    title: text(255, 'One line.'),
    body: Type.Optional(Type.String({ maxLength: 60_000, description: 'Text of the issue (Markdown).' })),
    ...labels,
    issue_type: Type.Optional(text(100, 'Issue type, for Jira; default Task.')),
  }),
  set_status: closed({
    ...place,
    sha: Type.String({ pattern: '^[0-9a-fA-F]{40}([0-9a-fA-F]{24})?$', description: 'Full hash of the commit.' }),
    state: Type.Unsafe<'pending' | 'success' | 'failure' | 'error'>({
      type: 'string',
      enum: ['pending', 'success', 'failure', 'error'],
    }),
    context: Type.Optional(text(100, 'Name of the check; default steward.')),
    description: Type.Optional(text(140, 'Description shown next to the check.')),
    target_url: Type.Optional(
      Type.String({ maxLength: 500, pattern: '^https?://[^\\s]+$', description: 'URL with details.' }),
    ),
  }),
} satisfies Record<TrackerToolName, unknown>;

export type TrackerArguments<Name extends TrackerToolName> = Static<(typeof TRACKER_ARGUMENTS)[Name]>;

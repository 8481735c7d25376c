import { bitbucket } from './hosts/bitbucket.ts';
import { cloudevents } from './hosts/cloudevents.ts';
import { generic } from './hosts/generic.ts';
import { gitea } from './hosts/gitea.ts';
import { github } from './hosts/github.ts';
import { gitlab } from './hosts/gitlab.ts';
import { jira } from './hosts/jira.ts';
import { linear } from './hosts/linear.ts';
import { slack } from './hosts/slack.ts';
import { sns } from './hosts/sns.ts';
import { standardWebhooks } from './hosts/standard-webhooks.ts';
import { stripe } from './hosts/stripe.ts';
import type { WebhookSource } from './source.ts';

export const SOURCE_NAMES = [
  'generic',
  'github',
  'gitlab',
  'bitbucket',
  'gitea',
  'jira',
  'linear',
  'slack',
  'sns',
  'stripe',
  'standard_webhooks',
  'cloudevents',
] as const;

export type SourceName = (typeof SOURCE_NAMES)[number];

export const SOURCES: Readonly<Record<SourceName, WebhookSource>> = {
  generic,
  github,
  gitlab,
  bitbucket,
  gitea,
  jira,
  linear,
  slack,
  sns,
  stripe,
  standard_webhooks: standardWebhooks,
  cloudevents,
};

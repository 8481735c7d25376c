import { useState } from 'react';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { EventTypesField, FilterField } from './event-fields.tsx';
import type { FieldsProps } from './flow-fields.tsx';

const SOURCES = {
  '': 'Any service that sends JSON',
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
  gitea: 'Gitea, Forgejo, Gogs',
  jira: 'Jira',
  linear: 'Linear',
  slack: 'Slack',
  sns: 'Amazon SNS',
  stripe: 'Stripe',
  standard_webhooks: 'Standard Webhooks, Svix',
  cloudevents: 'CloudEvents',
  generic: 'Any service that sends JSON (adds a filter and a list of received requests)',
};

/** Fields for the sender of the webhook, its signing secret, and the events that start a run. */
export function WebhookFields({ flow, errorOf }: Pick<FieldsProps, 'flow' | 'errorOf'>) {
  const config = flow?.webhook_config;
  const [source, setSource] = useState<string>(config?.source ?? '');
  const hasSecret = (config?.signing_secrets ?? []).length > 0;
  return (
    <>
      <SelectField
        label="Webhook of"
        name="source"
        options={SOURCES}
        value={source}
        onChange={(event) => setSource(event.currentTarget.value)}
        error={errorOf('webhook_config.source')}
      />
      {source !== '' && source !== 'generic' && (
        <>
          <TextField
            label="Signing secret"
            name="signing_secret"
            rows={1}
            spellCheck={false}
            maxLength={8192}
            hint={
              hasSecret
                ? 'A secret is stored. Enter a new secret to replace it, or leave the field empty to keep it.'
                : 'The secret that is configured at the sender; for Amazon SNS, the PEM certificate at the SigningCertURL of a message. Requests with neither this secret nor a valid signature are refused.'
            }
            error={errorOf('webhook_config.signing_secrets')}
          />
          <EventTypesField
            flow={flow}
            errorOf={errorOf}
            hint="Event names used by the sender, one per line, for example pull_request.opened. Empty: all events."
          />
        </>
      )}
      {source !== '' && <FilterField flow={flow} errorOf={errorOf} />}
    </>
  );
}

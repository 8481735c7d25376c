import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { CreatedPortalLink } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { PORTAL_LINKS_PATH, portalLinksKey } from '../../queries/portal-links.ts';
import { catalogueQuery } from '../../queries/webhooks.ts';
import { CheckList } from '../../ui/check-list.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { TextField } from '../../ui/text-field.tsx';

interface Props {
  /** Initial value of the field for the group. */
  readonly group?: string;
  readonly look?: 'plain' | 'primary';
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** Creates a link with which a customer manages the endpoints of a group, and shows it once. */
export function CreatePortalLink({ group, look = 'plain' }: Props) {
  const refusal = useRefusal('manage_policies');
  const [created, setCreated] = useState<CreatedPortalLink>();
  return (
    <>
      <DialogButton label="Create portal link" look={look} disabledReason={refusal}>
        {(close) => <PortalLinkDialog group={group} onClose={close} onCreated={setCreated} />}
      </DialogButton>
      {created !== undefined &&
        createPortal(
          <SecretOnce
            title="Portal link"
            hint={`This link is shown only once and expires at ${describeEnd(created.expires_at)}. Until then, anyone who has the link can manage the endpoints of ${created.group}: give it only to this customer.`}
            secret={created.url}
            action="Copy link"
            onStored={() => setCreated(undefined)}
          />,
          document.body,
        )}
    </>
  );
}

/** Formats a time in the time zone of the reader, followed by the time in UTC. */
function describeEnd(at: string): string {
  return `${clock.format(new Date(at))} (${at.slice(11, 16)} UTC)`;
}

interface DialogProps {
  readonly group: string | undefined;
  readonly onClose: () => void;
  readonly onCreated: (link: CreatedPortalLink) => void;
}

function PortalLinkDialog({ group, onClose, onCreated }: DialogProps) {
  const { data } = useQuery(catalogueQuery());
  const types = data?.event_types.map(({ name }) => name) ?? [];
  function create(values: Readonly<Record<string, string>>): Promise<CreatedPortalLink> {
    const { group: name = '', origins = '' } = values;
    const body = {
      group: name.trim(),
      event_types: types.filter((type) => type in values),
      frame_origins: origins.split(/\s+/).filter((origin) => origin !== ''),
    };
    return request<CreatedPortalLink>('POST', PORTAL_LINKS_PATH, { body });
  }
  return (
    <FormDialog
      title="Create portal link"
      action="Create link"
      onClose={onClose}
      onSend={create}
      touches={portalLinksKey}
      onSent={onCreated}
    >
      {(errorOf) => (
        <>
          <p>The link expires one hour after it is created; you can end it earlier.</p>
          <Field
            label="Group"
            name="group"
            maxLength={100}
            required
            hint="Name that you choose for the customer, who sees and manages only the endpoints of this group."
            defaultValue={group}
            error={errorOf('group')}
          />
          <CheckList legend="Event types to which the endpoints may subscribe" names={types} />
          <TextField
            label="Pages that may embed the portal"
            name="origins"
            rows={2}
            placeholder="https://app.example.com"
            hint="Origins of these pages, one per line. Empty: the portal cannot be embedded."
            error={errorOf('frame_origins')}
          />
        </>
      )}
    </FormDialog>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { toApiError } from '../../api/api-error.ts';
import type { CreatedEndpoint } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { catalogueQuery, webhooksKey } from '../../queries/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from './webhooks.module.css';

interface Props {
  readonly onClose: () => void;
  readonly onCreated: (endpoint: CreatedEndpoint) => void;
}

interface NewEndpoint {
  readonly url: string;
  readonly description: string;
  readonly event_types: readonly string[];
  readonly group?: string;
}

export function AddEndpoint({ onClose, onCreated }: Props) {
  const catalogue = useQuery(catalogueQuery());
  const create = useChange(
    (body: NewEndpoint) => request<CreatedEndpoint>('POST', '/api/v1/event-webhooks/endpoints', { body }),
    webhooksKey,
  );
  const refusal = create.error === null ? undefined : toApiError(create.error);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const group = String(form.get('group')).trim();
    const body = {
      url: String(form.get('url')).trim(),
      description: String(form.get('description')).trim(),
      event_types: form.getAll('type').map(String),
      ...(group === '' ? {} : { group }),
    };
    create.mutate(body, {
      onSuccess: (endpoint) => {
        onClose();
        onCreated(endpoint);
      },
    });
  }

  return (
    <Dialog title="Add endpoint" onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <Field
          label="URL"
          name="url"
          inputMode="url"
          placeholder="https://example.test/steward"
          required
          error={refusal?.field === 'url' ? refusal.message : undefined}
        />
        <Field label="Description" name="description" maxLength={500} />
        <Field
          label="Group"
          name="group"
          maxLength={100}
          hint="Endpoints of one customer, who can manage them with a portal link."
        />
        <fieldset className={styles['types']}>
          <legend>Events (none selected: all events)</legend>
          {catalogue.data?.event_types.map(({ name, description }) => (
            <label key={name}>
              <input type="checkbox" name="type" value={name} />
              <span>
                <code>{name}</code> {description}
              </span>
            </label>
          ))}
        </fieldset>
        {refusal !== undefined && refusal.field !== 'url' && <ErrorState error={refusal} />}
        <Button type="submit" look="primary" aria-busy={create.isPending}>
          Add endpoint
        </Button>
      </form>
    </Dialog>
  );
}

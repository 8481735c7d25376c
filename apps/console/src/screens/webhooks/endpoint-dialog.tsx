import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { toApiError } from '../../api/api-error.ts';
import type { CreatedEndpoint, Endpoint, EventCatalogue } from '../../api/answers.ts';
import { saveItem } from '../../api/save-item.ts';
import { catalogueQuery, ENDPOINTS_PATH, webhooksKey } from '../../queries/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from './webhooks.module.css';

interface Props {
  /** The endpoint to change; undefined for a new one. */
  readonly endpoint: Endpoint | undefined;
  readonly onClose: () => void;
  readonly onCreated?: (endpoint: CreatedEndpoint) => void;
}

interface Fields {
  readonly url: string;
  readonly description: string;
  readonly event_types: readonly string[];
  readonly group: string | null;
}

export function EndpointDialog({ endpoint, onClose, onCreated }: Props) {
  const catalogue = useQuery(catalogueQuery());
  const save = useChange(
    (body: Partial<Fields>) => saveItem<CreatedEndpoint>(ENDPOINTS_PATH, endpoint, body),
    webhooksKey,
  );
  const refusal = save.error === null ? undefined : toApiError(save.error);
  const title = endpoint === undefined ? 'Add endpoint' : 'Edit endpoint';

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    // Until the event types are loaded, no type can be selected, and an endpoint without selected types would receive
    // all events.
    if (catalogue.data === undefined) return;
    save.mutate(listChanges(endpoint, readFields(event.currentTarget)), {
      onSuccess: (saved) => {
        onClose();
        onCreated?.(saved);
      },
    });
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <TextFields endpoint={endpoint} urlError={refusal?.field === 'url' ? refusal.message : undefined} />
        <TypeChoices types={catalogue.data?.event_types ?? []} chosen={endpoint?.event_types ?? []} />
        {catalogue.error !== null && <ErrorState error={catalogue.error} onRetry={() => void catalogue.refetch()} />}
        {refusal !== undefined && refusal.field !== 'url' && <ErrorState error={refusal} />}
        <Button
          type="submit"
          look="primary"
          aria-busy={save.isPending}
          disabledReason={catalogue.isPending ? 'event types are loading' : undefined}
        >
          {endpoint === undefined ? 'Add endpoint' : 'Save endpoint'}
        </Button>
      </form>
    </Dialog>
  );
}

interface TextProps {
  readonly endpoint: Endpoint | undefined;
  readonly urlError: string | undefined;
}

function TextFields({ endpoint, urlError }: TextProps) {
  return (
    <>
      <Field
        label="URL"
        name="url"
        inputMode="url"
        placeholder="https://example.test/steward"
        required
        hint={
          endpoint === undefined
            ? undefined
            : endpoint.active
              ? 'If you change the URL, waiting deliveries are sent to the new URL, and a paused endpoint resumes at once.'
              : 'If you change the URL, waiting deliveries are sent to the new URL after the endpoint has been enabled.'
        }
        defaultValue={endpoint?.url}
        error={urlError}
      />
      <Field label="Description" name="description" maxLength={500} defaultValue={endpoint?.description} />
      <Field
        label="Group"
        name="group"
        maxLength={100}
        hint="Name that you choose for a customer, who can manage the endpoints of this group with a portal link."
        defaultValue={endpoint?.group ?? undefined}
      />
    </>
  );
}

interface TypeProps {
  readonly types: EventCatalogue['event_types'];
  readonly chosen: readonly string[];
}

function TypeChoices({ types, chosen }: TypeProps) {
  return (
    <fieldset className={styles['types']}>
      <legend>Events (none selected: all events)</legend>
      {types.map(({ name, description }) => (
        <label key={name}>
          <input type="checkbox" name="type" value={name} defaultChecked={chosen.includes(name)} />
          <span>
            <code>{name}</code> {description}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function readFields(form: HTMLFormElement): Fields {
  const values = new FormData(form);
  const read = (name: string): string => {
    const value = values.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const types = values.getAll('type').filter((type): type is string => typeof type === 'string');
  const group = read('group');
  return { url: read('url'), description: read('description'), event_types: types, group: group === '' ? null : group };
}

/**
 * Returns only the changed fields, so that changes that others made to the remaining fields in the meantime are kept.
 */
function listChanges(endpoint: Endpoint | undefined, fields: Fields): Partial<Fields> {
  if (endpoint === undefined) return fields;
  const entries = Object.entries(fields) as [keyof Fields, Fields[keyof Fields]][];
  return Object.fromEntries(entries.filter(([name, value]) => toComparable(value) !== toComparable(endpoint[name])));
}

/** The order of types is irrelevant. */
function toComparable(value: Fields[keyof Fields]): string {
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
}

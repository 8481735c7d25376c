import { useQuery } from '@tanstack/react-query';
import type { Endpoint } from '../api/answers.ts';
import { CheckList } from '../ui/check-list.tsx';
import { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { catalogueQuery, portalKey } from './portal-api.ts';

interface EndpointFields {
  readonly url: string;
  readonly description: string;
  readonly event_types: readonly string[];
}

interface Props<Answer> {
  readonly title: string;
  /** The endpoint to change; undefined for a new one. */
  readonly endpoint?: Endpoint;
  readonly onClose: () => void;
  /** Receives all fields of a new endpoint, and the changed fields of an existing one. */
  readonly onSend: (body: Partial<EndpointFields>) => Promise<Answer>;
  readonly onSent?: (answer: Answer) => void;
}

export function EndpointForm<Answer>({ title, endpoint, onClose, onSend, onSent }: Props<Answer>) {
  const { data } = useQuery(catalogueQuery());
  const types = data?.event_types.map(({ name }) => name) ?? [];
  const isTicked = (values: Readonly<Record<string, string>>) => (type: string) => values[type] === 'on';
  return (
    <FormDialog
      title={title}
      action={endpoint === undefined ? 'Add endpoint' : 'Save'}
      onClose={onClose}
      touches={portalKey}
      onSend={(values) =>
        onSend(
          listChanges(endpoint, types, {
            url: (values['url'] ?? '').trim(),
            description: (values['description'] ?? '').trim(),
            event_types: types.filter(isTicked(values)),
          }),
        )
      }
      {...(onSent === undefined ? {} : { onSent })}
    >
      {(errorOf) => (
        <>
          <Field
            label="URL"
            name="url"
            inputMode="url"
            placeholder="https://example.com/webhooks"
            defaultValue={endpoint?.url}
            required
            error={errorOf('url')}
          />
          <Field label="Description" name="description" maxLength={500} defaultValue={endpoint?.description} />
          <CheckList
            key={types.join(' ')}
            legend="Events (none selected: all of these)"
            names={types}
            ticked={endpoint?.event_types ?? []}
          />
        </>
      )}
    </FormDialog>
  );
}

/**
 * Lists the changed fields. If the URL changes, the event types are sent even if they are unchanged: if an endpoint has
 * types that the portal does not offer, the service changes its URL only if the same request removes these types.
 */
function listChanges(
  before: Endpoint | undefined,
  offered: readonly string[],
  after: EndpointFields,
): Partial<EndpointFields> {
  if (before === undefined) return after;
  const former = offered.filter((type) => before.event_types.includes(type));
  const isMoved = before.url !== after.url;
  // No types are offered until the catalog is loaded.
  const choosesTypes = offered.length > 0 && (isMoved || former.join() !== after.event_types.join());
  return {
    ...(isMoved ? { url: after.url } : {}),
    ...(before.description === after.description ? {} : { description: after.description }),
    ...(choosesTypes ? { event_types: after.event_types } : {}),
  };
}

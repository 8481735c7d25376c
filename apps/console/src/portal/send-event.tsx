import { useQuery } from '@tanstack/react-query';
import type { Endpoint } from '../api/answers.ts';
import { DialogButton } from '../ui/dialog-button.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { ask, catalogueQuery, endpointPath, portalKey } from './portal-api.ts';

/** Sends a test event, or the example of an event type, to the endpoint. */
export function SendEvent({ endpoint }: { readonly endpoint: Pick<Endpoint, 'id'> }) {
  const { data } = useQuery(catalogueQuery());
  const names = ['webhook.test', ...(data?.event_types.map(({ name }) => name) ?? [])];
  return (
    <DialogButton label="Send an example">
      {(close) => (
        <FormDialog
          title="Send an example"
          action="Send example"
          onClose={close}
          touches={portalKey}
          onSend={({ event_type: type }) =>
            ask<unknown>('POST', `${endpointPath(endpoint.id)}/test`, { body: { event_type: type } })
          }
        >
          {(errorOf) => (
            <SelectField
              label="Event type"
              name="event_type"
              options={Object.fromEntries(names.map((name) => [name, name]))}
              error={errorOf('event_type')}
            />
          )}
        </FormDialog>
      )}
    </DialogButton>
  );
}

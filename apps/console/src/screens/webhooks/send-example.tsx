import { useQuery } from '@tanstack/react-query';
import type { Endpoint } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { catalogueQuery, endpointPath, webhooksKey } from '../../queries/webhooks.ts';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';

interface Props {
  readonly endpoint: Pick<Endpoint, 'id'>;
  readonly disabledReason: string | undefined;
}

/** Sends the example event of an event type to the endpoint, regardless of its subscriptions. */
export function SendExample({ endpoint, disabledReason }: Props) {
  const { data } = useQuery(catalogueQuery());
  const types = Object.fromEntries(data?.event_types.map(({ name }) => [name, name]) ?? []);
  return (
    <DialogButton label="Send an example" disabledReason={disabledReason}>
      {(close) => (
        <FormDialog
          title="Send an example"
          action="Send example"
          onClose={close}
          touches={webhooksKey}
          onSend={({ event_type: type }) =>
            request<unknown>('POST', `${endpointPath(endpoint.id)}/test`, { body: { event_type: type } })
          }
        >
          {(errorOf) => (
            <>
              <p>
                The example is delivered only to this endpoint, in the same way as other events of the type. It contains
                example data from the catalog and has a new event id.
              </p>
              <SelectField label="Event type" name="event_type" options={types} error={errorOf('event_type')} />
            </>
          )}
        </FormDialog>
      )}
    </DialogButton>
  );
}

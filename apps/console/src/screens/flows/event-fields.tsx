import { Field } from '../../ui/field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { FieldsProps } from './flow-fields.tsx';

type Props = Pick<FieldsProps, 'flow' | 'errorOf'>;

/** Field for the names of the events that start a run, as the sender of the webhook names them. */
export function EventTypesField({ flow, errorOf, hint }: Props & { readonly hint: string }) {
  return (
    <TextField
      label="Events"
      name="event_types"
      rows={3}
      spellCheck={false}
      hint={hint}
      defaultValue={flow?.webhook_config?.event_types?.join('\n')}
      error={errorOf('webhook_config.event_types')}
    />
  );
}

/** Field for the filter of these events. */
export function FilterField({ flow, errorOf }: Props) {
  return (
    <Field
      label="Filter"
      name="filter"
      maxLength={4096}
      spellCheck={false}
      hint="A condition on payload and event, for example payload.pull_request.draft == false."
      defaultValue={flow?.webhook_config?.filter}
      error={errorOf('webhook_config.filter')}
    />
  );
}

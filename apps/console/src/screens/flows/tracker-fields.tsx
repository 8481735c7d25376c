import { Link } from '@tanstack/react-router';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { EventTypesField, FilterField } from './event-fields.tsx';
import type { FieldsProps } from './flow-fields.tsx';

/** Fields for the tracker, the repository and the events that start the flow. */
export function TrackerFields({ flow, choices, errorOf }: FieldsProps) {
  const names = choices.trackers.map(({ id, name, kind }) => [id, `${name} (${kind})`] as const);
  if (names.length === 0)
    return (
      <p>
        No tracker is connected. <Link to="/trackers">Connect one</Link>
      </p>
    );
  return (
    <>
      <SelectField
        label="Tracker"
        name="tracker"
        options={Object.fromEntries(names)}
        defaultValue={flow?.tracker_config?.tracker_id}
        error={errorOf('tracker_config.tracker_id')}
      />
      <Field
        label="Repository or project"
        name="repository"
        required
        maxLength={500}
        spellCheck={false}
        hint="owner/repository, group/project, or the key of a project or team. The webhook at the tracker is registered and removed automatically."
        defaultValue={flow?.tracker_config?.repository}
        error={errorOf('tracker_config.repository') ?? errorOf('tracker_config')}
      />
      <EventTypesField
        flow={flow}
        errorOf={errorOf}
        hint="Event names of the tracker, one per line, for example pull_request.opened. Empty: the default events."
      />
      <FilterField flow={flow} errorOf={errorOf} />
    </>
  );
}

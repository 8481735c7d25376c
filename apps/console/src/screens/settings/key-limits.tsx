import type { ApiKey } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { API_KEYS_PATH, apiKeysKey } from '../../queries/api-keys.ts';
import { DialogButton } from '../../ui/dialog-button.tsx';
import type { FieldFacts } from '../../ui/field-frame.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { LIMITS, readKeyLimits } from './key-limit-words.ts';

interface FieldsProps {
  readonly limits: ApiKey['limits'];
  readonly errorOf: (field: string) => FieldFacts['error'];
}

/** Fields for the models that a key may call, and for its limits. */
export function KeyLimitFields({ limits, errorOf }: FieldsProps) {
  return (
    <>
      <Field
        label="Models it may call"
        name="models"
        defaultValue={limits?.models?.join(', ')}
        hint="Aliases, separated by commas. Empty: all."
        error={errorOf('limits.models')}
      />
      {LIMITS.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          name={name}
          type="number"
          min={0}
          step={1}
          defaultValue={limits?.[name] ?? undefined}
          hint="Empty: no limit."
          error={errorOf(`limits.${name}`)}
        />
      ))}
    </>
  );
}

export function LimitKey({ apiKey: { id, name, limits } }: { readonly apiKey: ApiKey }) {
  return (
    <DialogButton label="Limit">
      {(close) => (
        <FormDialog
          title={`Limits of ${name}`}
          action="Save limits"
          onClose={close}
          onSend={(values) =>
            request<ApiKey>('PATCH', `${API_KEYS_PATH}/${id}`, { body: { limits: readKeyLimits(values) } })
          }
          touches={apiKeysKey}
        >
          {(errorOf) => (
            <>
              <p>The limits apply from the next model call on. Days begin at midnight UTC.</p>
              <KeyLimitFields limits={limits} errorOf={errorOf} />
            </>
          )}
        </FormDialog>
      )}
    </DialogButton>
  );
}

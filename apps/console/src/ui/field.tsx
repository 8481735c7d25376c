import type { InputHTMLAttributes } from 'react';
import { FieldFrame, type FieldFacts } from './field-frame.tsx';

interface Props extends InputHTMLAttributes<HTMLInputElement>, FieldFacts {
  readonly name: string;
}

/** A labeled input. Its value is stored in the form, and read when the form is submitted. */
export function Field({ label, hint, error, ...input }: Props) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(names) => <input {...input} {...names} />}
    </FieldFrame>
  );
}

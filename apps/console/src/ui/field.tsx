import type { InputHTMLAttributes } from 'react';
import { FieldFrame, type FieldFacts } from './field-frame.tsx';

interface Props extends InputHTMLAttributes<HTMLInputElement>, FieldFacts {
  readonly name: string;
}

/** A labeled input. The form holds its value; the page reads it when the form is sent. */
export function Field({ label, hint, error, ...input }: Props) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(names) => <input {...input} {...names} />}
    </FieldFrame>
  );
}

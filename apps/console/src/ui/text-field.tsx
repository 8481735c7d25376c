import type { TextareaHTMLAttributes } from 'react';
import { FieldFrame, type FieldFacts } from './field-frame.tsx';

interface Props extends TextareaHTMLAttributes<HTMLTextAreaElement>, FieldFacts {
  readonly name: string;
}

/** A labeled field for text of several lines. */
export function TextField({ label, hint, error, ...area }: Props) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(names) => <textarea rows={4} {...area} {...names} />}
    </FieldFrame>
  );
}

import type { SelectHTMLAttributes } from 'react';
import { FieldFrame, type FieldFacts } from './field-frame.tsx';
import { Options } from './options.tsx';

interface Props extends SelectHTMLAttributes<HTMLSelectElement>, FieldFacts {
  readonly name: string;
  /** Labels by value. */
  readonly options: Readonly<Record<string, string>>;
}

/** A labeled single choice. */
export function SelectField({ label, hint, error, options, ...select }: Props) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(names) => (
        <select {...select} {...names}>
          <Options of={options} />
        </select>
      )}
    </FieldFrame>
  );
}

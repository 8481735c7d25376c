import { Options } from './options.tsx';

interface Props {
  readonly label: string;
  readonly name: string;
  readonly chosen: string | undefined;
  /** Labels by value. The options may be loaded later than the page. */
  readonly options: Readonly<Record<string, string>>;
}

/**
 * Filters a list by one of several values. The selected value remains selected even if it is not (yet) among the
 * options.
 */
export function ChoiceFilter({ label, name, chosen, options }: Props) {
  return (
    <label>
      {label}
      <select key={Object.keys(options).length} name={name} defaultValue={chosen ?? ''}>
        <option value="">All</option>
        {chosen !== undefined && !Object.hasOwn(options, chosen) && <option>{chosen}</option>}
        <Options of={options} />
      </select>
    </label>
  );
}

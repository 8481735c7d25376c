import { Options } from './options.tsx';

interface Props {
  readonly label: string;
  readonly name: string;
  readonly chosen: string | undefined;
  /** Labels by value. They may arrive later than the page. */
  readonly options: Readonly<Record<string, string>>;
}

/** Filters a list by one of several values. The selected value stays, even if it is not, or not yet, among them. */
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

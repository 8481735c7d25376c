import { Options } from './options.tsx';

interface Props {
  readonly label: string;
  readonly name: string;
  readonly chosen: string | undefined;
  /** By their values: what they are called. They may come later than the page. */
  readonly options: Readonly<Record<string, string>>;
}

/** Narrows a list to one of several. What was chosen stays chosen, also where it is not, or not yet, among them. */
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

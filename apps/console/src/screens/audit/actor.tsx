import type { AuditEntry } from '../../api/answers.ts';
import { showName, useNames } from '../../queries/use-names.ts';

type Props = Pick<AuditEntry, 'actor' | 'source'>;

/**
 * The actor, by name if the actor is the viewer, or is on the first page of the list of users and the viewer may read
 * this list.
 */
export function Actor({ actor: { kind, id }, source }: Props) {
  const names = useNames('person');
  const word = kind.replaceAll('_', ' ');
  const who = id === null ? word : (names.get(id) ?? `${word} ${showName(names, id)}`);
  return (
    <span title={id ?? undefined}>
      {who}, {source}
    </span>
  );
}

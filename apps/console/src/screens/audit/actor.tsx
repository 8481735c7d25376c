import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { useSession } from '../../auth/session.ts';
import { usersQuery } from '../../queries/people.ts';

type Props = Pick<AuditEntry, 'actor' | 'source'>;

/** The actor, by name if the viewer may read the users and it is among the first page of them. */
export function Actor({ actor: { kind, id }, source }: Props) {
  const session = useSession();
  const { data } = useQuery({ ...usersQuery({}), enabled: useRefusal('manage_users') === undefined });
  const own = session.kind === 'signed-in' ? [session.user] : [];
  const name = [...own, ...(data?.items ?? [])].find((user) => user.id === id)?.username;
  const who = name ?? (id === null ? kind.replaceAll('_', ' ') : `${kind.replaceAll('_', ' ')} ${id.slice(0, 8)}…`);
  return (
    <span title={id ?? undefined}>
      {who}, {source}
    </span>
  );
}

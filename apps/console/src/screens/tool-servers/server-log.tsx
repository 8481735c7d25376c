import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ToolServer } from '../../api/answers.ts';
import { read } from '../../api/request.ts';
import { toolServerPath, toolServersKey } from '../../queries/tool-servers.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import styles from '../../ui/stack.module.css';

interface Props {
  readonly server: ToolServer;
  readonly onClose: () => void;
}

const logQuery = (serverId: string) =>
  queryOptions({
    queryKey: [...toolServersKey(), serverId, 'log'],
    queryFn: read<{ readonly lines: readonly string[] }>(`${toolServerPath(serverId)}/log`),
  });

/** Last log lines of a server's program, including how the program ended. */
export function ServerLog({ server, onClose }: Props) {
  const log = useQuery(logQuery(server.id));
  return (
    <Dialog title={`Log of ${server.name}`} onClose={onClose}>
      <div className={styles['stack']}>
        <Loaded what="the log" query={log}>
          {({ lines }) =>
            lines.length === 0 ? <p>The program has not printed anything.</p> : <pre>{lines.join('\n')}</pre>
          }
        </Loaded>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

import { useForm } from '../../ui/use-form.ts';
import type { CreatedApiKey } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { API_KEYS_PATH, apiKeysKey } from '../../queries/api-keys.ts';
import { queryClient } from '../../queries/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import styles from '../../ui/stack.module.css';

interface Props {
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedApiKey) => void;
}

export function CreateApiKey({ onClose, onCreated }: Props) {
  const { error, isBusy, onSubmit } = useForm(async ({ name = '' }) => {
    const key = await request<CreatedApiKey>('POST', API_KEYS_PATH, { body: { name: name.trim() } });
    void queryClient.invalidateQueries({ queryKey: apiKeysKey() });
    onCreated(key);
  });
  const ofTheName = error?.field === 'name' ? error.message : undefined;
  return (
    <Dialog title="Create API key" onClose={onClose}>
      <form className={styles['stack']} onSubmit={onSubmit}>
        <Field label="Name" name="name" maxLength={100} hint="Who uses it, and for what." required error={ofTheName} />
        {error !== undefined && ofTheName === undefined && <ErrorState error={error} />}
        <Button type="submit" look="primary" aria-busy={isBusy}>
          Create API key
        </Button>
      </form>
    </Dialog>
  );
}

import type { AiModel, ModelTest } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { MODELS_PATH, modelsKey } from '../../queries/models.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from '../../ui/stack.module.css';
import { ModelDialog } from './model-dialog.tsx';

export function ModelActions({ model }: { readonly model: AiModel }) {
  const path = `${MODELS_PATH}/${model.id}`;
  const refusal = useRefusal('manage_ai_models');
  const test = useChange(() => request<ModelTest>('POST', `${path}/test`, { body: {} }), modelsKey);
  const remove = useChange(() => request<undefined>('DELETE', path), modelsKey);
  return (
    <div className={styles['stack']}>
      <div className={styles['actions']}>
        <Button disabledReason={refusal} aria-busy={test.isPending} onClick={() => test.mutate(undefined)}>
          Test
        </Button>
        <DialogButton label="Edit" disabledReason={refusal}>
          {(close) => <ModelDialog model={model} onClose={close} />}
        </DialogButton>
        <DialogButton label="Delete" disabledReason={refusal}>
          {(close) => (
            <ConfirmChange
              title={`Delete ${model.alias}`}
              action="Delete model"
              look="danger"
              change={remove}
              onClose={close}
            >
              <p>After the deletion, calls to this model are refused; past usage is retained.</p>
            </ConfirmChange>
          )}
        </DialogButton>
      </div>
      {test.error !== null && <ErrorState error={test.error} />}
      {test.data !== undefined && (
        <Notice tone={test.data.ok ? 'ok' : 'bad'} isNews>
          {test.data.ok
            ? `The model responded in ${test.data.latency_ms} ms.`
            : (test.data.error ?? 'The model did not respond.')}
        </Notice>
      )}
    </div>
  );
}

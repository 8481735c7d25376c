import type { Delivery } from '../../api/answers.ts';
import { StatusBadge, type States } from '../../ui/status-badge.tsx';

export const STATES: States<Delivery['status']> = {
  pending: ['info', 'Pending'],
  delivered: ['ok', 'Delivered'],
  dead: ['bad', 'Dead'],
  cancelled: ['none', 'Cancelled'],
};

export function DeliveryState({ status }: Pick<Delivery, 'status'>) {
  const [tone, word] = STATES[status];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}

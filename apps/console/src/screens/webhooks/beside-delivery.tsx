import type { ReactNode } from 'react';
import { Beside } from '../../ui/peek.tsx';
import { DeliveryPeek } from './delivery-peek.tsx';

interface Props {
  /** The delivery that was opened. */
  readonly peek: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A list of deliveries, and beside it the one that was opened. */
export function BesideDelivery({ peek, onClose, children }: Props) {
  return (
    <Beside peek={peek !== undefined && <DeliveryPeek key={peek} deliveryId={peek} onClose={onClose} />}>
      {children}
    </Beside>
  );
}

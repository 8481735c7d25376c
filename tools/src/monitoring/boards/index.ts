import type { Board } from '../board.ts';
import { deliveries } from './deliveries.ts';
import { flows } from './flows.ts';
import { models } from './models.ts';
import { overview } from './overview.ts';
import { queues } from './queues.ts';
import { search } from './search.ts';

/** The boards of `deploy/monitoring/grafana/dashboards`, in the order of Grafana's list. */
export const BOARDS: readonly Board[] = [overview, deliveries, flows, search, models, queues];

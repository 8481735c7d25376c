import { queryOptions } from '@tanstack/react-query';
import type {
  DueTimes,
  Flow,
  FlowPage,
  FlowSchedule,
  FlowTemplatePage,
  ModelChoicePage,
  NextDueTimes,
  ScheduleConfig,
  SchedulePage,
  ToolChoicePage,
  TrackerPage,
  WorkflowPage,
} from '../api/answers.ts';
import { read, request } from '../api/request.ts';
import { pagesOf } from './pages-of.ts';
import { accountKey } from './query-client.ts';

export const FLOWS_PATH = '/api/v1/flows';

export const flowPath = (flowId: string): string => `${FLOWS_PATH}/${encodeURIComponent(flowId)}`;

export const flowsKey = (): readonly unknown[] => accountKey('flows');

export const flowsQuery = pagesOf<FlowPage>(flowsKey, FLOWS_PATH);

export const flowQuery = (flowId: string) =>
  queryOptions({
    queryKey: [...flowsKey(), 'one', flowId],
    queryFn: read<Flow>(flowPath(flowId)),
  });

const SCHEDULES_PATH = '/api/v1/schedules';

export const schedulePath = (flowId: string): string => `${flowPath(flowId)}/schedule`;

export const schedulesQuery = pagesOf<SchedulePage>(() => [...flowsKey(), 'schedules'], SCHEDULES_PATH);

/** Refresh interval of data that changes by itself. */
const LOOK_MS = 5000;

export const scheduleQuery = (flowId: string) =>
  queryOptions({
    queryKey: [...flowsKey(), flowId, 'schedule'],
    queryFn: read<FlowSchedule>(schedulePath(flowId)),
    refetchInterval: LOOK_MS,
  });

export const dueTimesQuery = (flowId: string) =>
  queryOptions({
    queryKey: [...flowsKey(), flowId, 'due times'],
    queryFn: read<DueTimes>(`${schedulePath(flowId)}/due-times`),
    refetchInterval: LOOK_MS,
  });

/** Query of the due times of an unsaved schedule; if the schedule is invalid, the reason is returned as the error. */
export const previewQuery = (config: ScheduleConfig) =>
  queryOptions({
    queryKey: [...flowsKey(), 'preview', config],
    queryFn: ({ signal }) =>
      request<NextDueTimes>('POST', `${SCHEDULES_PATH}/preview`, { body: { schedule_config: config }, signal }),
    retry: false,
  });

/** Maximum number of options of each kind in a form. */
const MOST_CHOICES = 200;

/** Query of the options for a flow: models, tools, approval workflows, trackers and templates. */
export const flowChoicesQuery = () =>
  queryOptions({
    queryKey: [...flowsKey(), 'choices'],
    queryFn: async ({ signal }) => {
      const query = { limit: MOST_CHOICES };
      const [models, tools, workflows, trackers, templates] = await Promise.all([
        request<ModelChoicePage>('GET', `${FLOWS_PATH}/models`, { query, signal }),
        request<ToolChoicePage>('GET', `${FLOWS_PATH}/tools`, { query, signal }),
        request<WorkflowPage>('GET', '/api/v1/approval-workflows', { query, signal }).catch(() => undefined),
        request<TrackerPage>('GET', '/api/v1/trackers', { query, signal }).catch(() => undefined),
        request<FlowTemplatePage>('GET', '/api/v1/flow-templates', { signal }),
      ]);
      return {
        models: models.items,
        tools: tools.items,
        workflows: workflows?.items ?? [],
        trackers: trackers?.items ?? [],
        templates: templates.items,
      };
    },
    staleTime: 0,
  });

export type FlowChoices = Awaited<ReturnType<NonNullable<ReturnType<typeof flowChoicesQuery>['queryFn']>>>;

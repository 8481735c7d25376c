import {
  DashboardBuilder,
  DatasourceVariableBuilder,
  RowBuilder,
  type DataSourceRef,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { LegendDisplayMode, LegendPlacement, VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import type { Board, Panel } from '../src/monitoring/board.ts';

/** Prometheus server that a reader selects at the top of a board. */
const DATASOURCE: DataSourceRef = { type: 'prometheus', uid: '${datasource}' };
const PANELS_PER_ROW = 3;
const WHOLE_WIDTH = 24;

/** Renders a board in the file format of Grafana. */
export function renderBoard(board: Board): string {
  const dashboard = new DashboardBuilder(board.title)
    .uid(board.uid)
    .description(board.description)
    .tags(['steward'])
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'));
  for (const row of board.rows) {
    dashboard.withRow(new RowBuilder(row.title));
    for (const panel of row.panels) dashboard.withPanel(buildPanel(panel));
  }
  return `${JSON.stringify(dashboard.build(), null, 2)}\n`;
}

function buildPanel({ title, unit, description, isSigned = false, queries }: Panel): PanelBuilder {
  const panel = new PanelBuilder()
    .title(title)
    .unit(unit)
    .datasource(DATASOURCE)
    .span(WHOLE_WIDTH / PANELS_PER_ROW)
    .height(8)
    .legend(
      new VizLegendOptionsBuilder()
        .showLegend(true)
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom),
    );
  if (!isSigned) panel.min(0);
  if (description !== undefined) panel.description(description);
  for (const { expr, legend } of queries)
    panel.withTarget(new DataqueryBuilder().datasource(DATASOURCE).expr(expr).legendFormat(legend));
  return panel;
}

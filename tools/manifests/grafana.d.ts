/**
 * Declares the parts that are used of a package named in this folder's package.json, so that types are checked even
 * where it is not installed.
 */
declare module '@grafana/grafana-foundation-sdk/dashboard' {
  export interface DataSourceRef {
    readonly type: string;
    readonly uid: string;
  }

  export class DashboardBuilder {
    constructor(title: string);
    uid(uid: string): this;
    description(text: string): this;
    tags(tags: string[]): this;
    time(range: { from: string; to: string }): this;
    refresh(interval: string): this;
    withVariable(variable: DatasourceVariableBuilder): this;
    withRow(row: RowBuilder): this;
    withPanel(panel: object): this;
    build(): object;
  }

  export class DatasourceVariableBuilder {
    constructor(name: string);
    label(text: string): this;
    type(kind: string): this;
  }

  interface RowBuilder {
    build(): object;
  }
  export const RowBuilder: new (title: string) => RowBuilder;
}

declare module '@grafana/grafana-foundation-sdk/common' {
  export const LegendDisplayMode: { readonly List: string };
  export const LegendPlacement: { readonly Bottom: string };

  export class VizLegendOptionsBuilder {
    showLegend(isShown: boolean): this;
    displayMode(mode: string): this;
    placement(place: string): this;
  }
}

declare module '@grafana/grafana-foundation-sdk/prometheus' {
  import type { DataSourceRef } from '@grafana/grafana-foundation-sdk/dashboard';

  export class DataqueryBuilder {
    datasource(source: DataSourceRef): this;
    expr(query: string): this;
    legendFormat(format: string): this;
  }
}

declare module '@grafana/grafana-foundation-sdk/timeseries' {
  import type { VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
  import type { DataSourceRef } from '@grafana/grafana-foundation-sdk/dashboard';
  import type { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';

  export class PanelBuilder {
    title(text: string): this;
    unit(unit: string): this;
    datasource(source: DataSourceRef): this;
    span(width: number): this;
    height(rows: number): this;
    legend(legend: VizLegendOptionsBuilder): this;
    min(value: number): this;
    description(text: string): this;
    withTarget(query: DataqueryBuilder): this;
  }
}

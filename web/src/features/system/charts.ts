import { withLineStyles } from '../../chart/line-styles.ts'
import type { ChartSpec } from './chart-spec.ts'
import type { ChartId } from './charts-model.ts'
import { containerCpuChart, containerDiskChart, containerMemoryChart, containerNetworkChart } from './container-charts.ts'
import { bandwidthChart, cpuChart, diskIoChart, diskUsageChart, memoryChart, swapChart, temperatureChart } from './host-charts.ts'

const withPatterns = (spec: ChartSpec): ChartSpec => ({ ...spec, draw: (frame) => withLineStyles(spec.draw(frame)) })

/** How each chart is called and drawn. */
export const charts: Readonly<Record<ChartId, ChartSpec>> = {
  cpu: withPatterns(cpuChart),
  'container-cpu': containerCpuChart,
  memory: withPatterns(memoryChart),
  'container-memory': containerMemoryChart,
  swap: withPatterns(swapChart),
  temperature: withPatterns(temperatureChart),
  'disk-usage': withPatterns(diskUsageChart),
  'disk-io': withPatterns(diskIoChart),
  bandwidth: withPatterns(bandwidthChart),
  'container-disk': containerDiskChart,
  'container-network': containerNetworkChart,
}

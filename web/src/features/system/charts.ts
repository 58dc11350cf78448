import type { ChartSpec } from './chart-spec.ts'
import type { ChartId } from './charts-model.ts'
import { containerCpuChart, containerDiskChart, containerMemoryChart, containerNetworkChart } from './container-charts.ts'
import { bandwidthChart, cpuChart, diskIoChart, diskUsageChart, memoryChart, swapChart, temperatureChart } from './host-charts.ts'

/** Object from chart id, such as `cpu`, to the definition of that main chart of a system's page (texts, data source, data). */
export const charts: Readonly<Record<ChartId, ChartSpec>> = {
  cpu: cpuChart,
  'container-cpu': containerCpuChart,
  memory: memoryChart,
  'container-memory': containerMemoryChart,
  swap: swapChart,
  temperature: temperatureChart,
  'disk-usage': diskUsageChart,
  'disk-io': diskIoChart,
  bandwidth: bandwidthChart,
  'container-disk': containerDiskChart,
  'container-network': containerNetworkChart,
}

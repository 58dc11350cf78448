import * as words from '../../words/messages.js'
import type { ChartSpec } from './chart-spec.ts'
import { addColumns, directions, noValues, stackOf } from './container-stack.ts'

export const containerCpuChart: ChartSpec = {
  title: words.chart_container_cpu,
  description: words.chart_container_cpu_about,
  source: 'engine',
  draw: (frame) => stackOf(frame, 'percent', (name) => frame.series.get(`${name}.cpuPercent`) ?? noValues(frame)),
}

export const containerMemoryChart: ChartSpec = {
  title: words.chart_container_memory,
  description: words.chart_container_memory_about,
  source: 'engine',
  draw: (frame) => stackOf(frame, 'bytes', (name) => frame.series.get(`${name}.memoryBytes`) ?? noValues(frame)),
}

export const containerNetworkChart: ChartSpec = {
  title: words.chart_container_network,
  description: words.chart_container_network_about,
  source: 'engine',
  draw: (frame) => {
    const sent = (name: string) => frame.series.get(`${name}.sentBytesPerSecond`) ?? noValues(frame)
    const received = (name: string) => frame.series.get(`${name}.receivedBytesPerSecond`) ?? noValues(frame)
    return stackOf(
      frame,
      'bytesPerSecond',
      (name) => addColumns(sent(name), received(name)),
      (name) => (index, formats) => directions(sent(name)[index], received(name)[index], formats),
    )
  },
}

export const containerDiskChart: ChartSpec = {
  title: words.chart_container_disk,
  description: words.chart_container_disk_about,
  source: 'engine',
  draw: (frame) => {
    const of = (name: string, field: string) => frame.series.get(`${name}.${field}`) ?? noValues(frame)
    const both = (name: string) => addColumns(of(name, 'diskReadBytesPerSecond'), of(name, 'diskWrittenBytesPerSecond'))
    return { ...stackOf(frame, 'bytesPerSecond', both), flow: 'disk' }
  },
}

import * as words from '../../words/messages.js'
import type { Source } from './chart-spec.ts'

/**
 * Object from data source of the charts, such as `memory`, to the function that returns a translated text: where the agent reads these
 * data.
 */
export const sourceWords: Readonly<Record<Source, () => string>> = {
  processor: words.source_processor,
  memory: words.source_memory,
  sensors: words.source_sensors,
  space: words.source_space,
  drives: words.source_drives,
  'drive-health': words.source_drive_health,
  network: words.source_network,
  engine: words.source_engine,
  load: words.source_load,
  pressure: words.source_pressure,
  gpu: words.source_gpu,
  battery: words.source_battery,
}

import type { ProcSource } from '../source/proc-source.ts'
import { plainName } from '../text/plain-name.ts'

/** One input of a hardware monitor: which chip's, its label if it has one, and where it is read below /sys. */
export type MonitorInput = { readonly chip: string; readonly label: string; readonly input: string; readonly path: string }

const CLASS = 'class/hwmon'

/**
 * Inputs such as `temp1_input` or `fan2_input` of every chip, in lexical order. Drivers of old keep them one folder down;
 * `fallback` decides whether that folder is searched for each chip, or only when no chip has direct inputs.
 * Source: kernel Documentation/hwmon/sysfs-interface.rst.
 */
export function findMonitorInputs(source: ProcSource, kind: 'temp' | 'fan', fallback: 'each' | 'none found'): readonly MonitorInput[] {
  const chips = source.listSys(CLASS).map((name) => `${CLASS}/${name}`)
  const direct = chips.map((chip) => inputsIn(source, chip, chip, kind))
  if (fallback === 'none found' && direct.some((inputs) => inputs.length > 0)) return direct.flat()
  return chips.flatMap((chip, index) => {
    const own = direct[index] ?? []
    return own.length > 0 ? own : inputsIn(source, chip, `${chip}/device`, kind)
  })
}

function inputsIn(source: ProcSource, chip: string, folder: string, kind: string): readonly MonitorInput[] {
  const inputs = source.listSys(folder).filter((name) => name.startsWith(kind) && /^[a-z]+\d+_input$/.test(name))
  if (inputs.length === 0) return []
  const named = plainName(source.trySys(`${chip}/name`) ?? source.trySys(`${folder}/name`) ?? '')
  const chipName = named === '' ? chip.slice(chip.lastIndexOf('/') + 1) : named
  return inputs.map((file) => {
    const input = file.slice(0, -'_input'.length)
    return { chip: chipName, label: plainName(source.trySys(`${folder}/${input}_label`) ?? ''), input, path: `${folder}/${file}` }
  })
}

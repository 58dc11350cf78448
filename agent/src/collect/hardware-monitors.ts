import type { ProcSource } from '../source/proc-source.ts'
import { plainName } from '../text/plain-name.ts'

/**
 * Input of a hardware monitor chip (hwmon) for a temperature sensor or fan. `label` is empty if it has none; `input` is such as `temp1`;
 * `path` is relative to /sys.
 */
export type MonitorInput = { readonly chip: string; readonly label: string; readonly input: string; readonly path: string }

const CLASS = 'class/hwmon'

/**
 * Returns inputs such as `temp1_input` of every hwmon chip, in lexical order. Old drivers keep them in a subfolder, searched for `each`
 * chip without direct inputs, or if `none found` in any chip. Source: kernel Documentation/hwmon/sysfs-interface.rst.
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

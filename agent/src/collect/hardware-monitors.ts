import type { ProcSource } from '../source/proc-source.ts'
import { plainName } from '../text/plain-name.ts'

/**
 * Input of a hardware monitoring chip (hwmon), such as a temperature sensor or fan. It has the names of chip and input (`temp1`), `label`
 * (empty without one), and the path relative to /sys.
 */
export type MonitorInput = { readonly chip: string; readonly label: string; readonly input: string; readonly path: string }

const CLASS = 'class/hwmon'

/**
 * Returns all inputs of one kind (`temp` or `fan`) of all hwmon chips in sysfs, in lexical order. Old drivers have them in the chip's
 * subfolder `device`. With the `fallback` `each`, it is searched for each chip without own inputs; with `none found`, only if no chip has
 * any.
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

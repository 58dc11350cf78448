import { ownValue } from '@vedette/protocol/own-value'
import { parseKeyValues } from './key-values.ts'
import { plainName } from './plain-name.ts'

/**
 * Returns the CPU's model name from the text of /proc/cpuinfo, proc(5). Its source is `model name` on x86, implementer and part number on
 * ARM, `cpu` on POWER, `uarch` on RISC-V, `cpu model` and `system type` on MIPS. `undefined` when unknown.
 */
export function cpuModelOf(cpuInfo: string): string | undefined {
  const values = parseKeyValues(cpuInfo, ':')
  const filled = (name: string): string | undefined => plainName(values.get(name) ?? '') || undefined
  const model = filled('model name') ?? armCoreOf(values) ?? filled('cpu') ?? filled('uarch')
  if (model !== undefined) return model
  const parts = [filled('cpu model'), filled('system type')].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(' / ')
}

const ARM_LTD = '0x41'

function armCoreOf(values: ReadonlyMap<string, string>): string | undefined {
  const part = values.get('CPU part')?.toLowerCase() ?? ''
  const maker = values.get('CPU implementer')?.toLowerCase() ?? ARM_LTD
  return maker === ARM_LTD ? ownValue(armCores, part) : otherCores[`${maker} ${part}`]
}

/**
 * Object from part number (text) to the name of an ARM Ltd. CPU core. The numbers are those of the Main ID Register (MIDR_EL1) in each
 * core's Technical Reference Manual.
 */
const armCores: Readonly<Record<string, string>> = {
  '0x926': 'ARM926',
  '0xb36': 'ARM1136',
  '0xb56': 'ARM1156',
  '0xb76': 'ARM1176',
  '0xc05': 'Cortex-A5',
  '0xc07': 'Cortex-A7',
  '0xc08': 'Cortex-A8',
  '0xc09': 'Cortex-A9',
  '0xc0d': 'Cortex-A17',
  '0xc0e': 'Cortex-A17',
  '0xc0f': 'Cortex-A15',
  '0xd01': 'Cortex-A32',
  '0xd02': 'Cortex-A34',
  '0xd03': 'Cortex-A53',
  '0xd04': 'Cortex-A35',
  '0xd05': 'Cortex-A55',
  '0xd06': 'Cortex-A65',
  '0xd07': 'Cortex-A57',
  '0xd08': 'Cortex-A72',
  '0xd09': 'Cortex-A73',
  '0xd0a': 'Cortex-A75',
  '0xd0b': 'Cortex-A76',
  '0xd0c': 'Neoverse-N1',
  '0xd0d': 'Cortex-A77',
  '0xd0e': 'Cortex-A76AE',
  '0xd40': 'Neoverse-V1',
  '0xd41': 'Cortex-A78',
  '0xd42': 'Cortex-A78AE',
  '0xd43': 'Cortex-A65AE',
  '0xd44': 'Cortex-X1',
  '0xd46': 'Cortex-A510',
  '0xd47': 'Cortex-A710',
  '0xd48': 'Cortex-X2',
  '0xd49': 'Neoverse-N2',
  '0xd4a': 'Neoverse-E1',
  '0xd4b': 'Cortex-A78C',
  '0xd4c': 'Cortex-X1C',
  '0xd4d': 'Cortex-A715',
  '0xd4e': 'Cortex-X3',
  '0xd4f': 'Neoverse-V2',
  '0xd80': 'Cortex-A520',
  '0xd81': 'Cortex-A720',
  '0xd82': 'Cortex-X4',
  '0xd83': 'Neoverse-V3AE',
  '0xd84': 'Neoverse-V3',
  '0xd85': 'Cortex-X925',
  '0xd87': 'Cortex-A725',
  '0xd8e': 'Neoverse-N3',
}

/**
 * Object from implementer and part number (one text) to the name of another maker's ARM CPU core; kernel arch/arm64/include/asm/cputype.h.
 */
const otherCores: Readonly<Record<string, string>> = {
  '0x42 0x516': 'Broadcom Vulcan',
  '0x43 0x0a1': 'Cavium ThunderX',
  '0x43 0x0af': 'Cavium ThunderX2',
  '0x46 0x001': 'Fujitsu A64FX',
  '0x48 0xd01': 'HiSilicon TSV110',
  '0x4e 0x003': 'NVIDIA Denver',
  '0x4e 0x004': 'NVIDIA Carmel',
  '0x50 0x000': 'APM X-Gene',
  '0x51 0x800': 'Qualcomm Kryo 2xx Gold',
  '0x51 0x801': 'Qualcomm Kryo 2xx Silver',
  '0x51 0x802': 'Qualcomm Kryo 3xx Gold',
  '0x51 0x803': 'Qualcomm Kryo 3xx Silver',
  '0x51 0x804': 'Qualcomm Kryo 4xx Gold',
  '0x51 0x805': 'Qualcomm Kryo 4xx Silver',
  '0x51 0xc00': 'Qualcomm Falkor',
  '0xc0 0xac3': 'Ampere-1',
  '0xc0 0xac4': 'Ampere-1A',
}

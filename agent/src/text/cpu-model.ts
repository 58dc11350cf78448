import { parseKeyValues } from './key-values.ts'

/**
 * The processor's name: `model name` on x86; on ARM from the core's part number; on MIPS, which has neither,
 * `cpu model` and `system type`. Source: /proc/cpuinfo, proc(5).
 */
export function cpuModelOf(cpuInfo: string): string | undefined {
  const values = parseKeyValues(cpuInfo, ':')
  const model = values.get('model name') ?? armCores[values.get('CPU part')?.toLowerCase() ?? '']
  if (model !== undefined && model !== '') return model
  const parts = [values.get('cpu model'), values.get('system type')].filter((part) => part !== undefined && part !== '')
  return parts.length === 0 ? undefined : parts.join(' / ')
}

/** Part numbers of ARM Ltd., as in the Main ID Register (MIDR_EL1) of each core's Technical Reference Manual. */
const armCores: Readonly<Record<string, string>> = {
  '0xb76': 'ARM1176',
  '0xc07': 'Cortex-A7',
  '0xc08': 'Cortex-A8',
  '0xc09': 'Cortex-A9',
  '0xc0f': 'Cortex-A15',
  '0xd03': 'Cortex-A53',
  '0xd04': 'Cortex-A35',
  '0xd05': 'Cortex-A55',
  '0xd07': 'Cortex-A57',
  '0xd08': 'Cortex-A72',
  '0xd09': 'Cortex-A73',
  '0xd0a': 'Cortex-A75',
  '0xd0b': 'Cortex-A76',
  '0xd0c': 'Neoverse-N1',
  '0xd0d': 'Cortex-A77',
  '0xd40': 'Neoverse-V1',
  '0xd41': 'Cortex-A78',
  '0xd49': 'Neoverse-N2',
  '0xd4f': 'Neoverse-V2',
}

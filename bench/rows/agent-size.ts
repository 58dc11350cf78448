import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../tools/rules/source-tree.ts'
import type { AgentForm } from '../agent-forms.ts'
import type { Row } from '../row.ts'

const SAMPLES = 100_000
/**
 * Timeout in ms, 1,000,000, of the benchmark that measures the growth of an agent's memory; then the benchmark fails. It is ten times the
 * usual duration.
 */
const DEADLINE_MS = 1_000_000

export const agentGrowth: Row = {
  id: 'A4',
  what: `agent: memory kept per sample over ${SAMPLES} samples, containers and interfaces coming and going`,
  async measure() {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', join(root, 'bench/agent-churn.ts'), String(SAMPLES)], {
      timeout: DEADLINE_MS,
    })
    const { bytesPerSample } = JSON.parse(stdout) as { readonly bytesPerSample: number }
    return [{ name: 'growth', value: bytesPerSample, unit: 'bytes', bar: 10 }]
  },
}

export const agentSize = (form: AgentForm): Row => ({
  id: `A5${form.suffix}`,
  what: `${form.name}: installed size of the release, without Node`,
  async measure() {
    const { bytes } = await form.build()
    return [{ name: 'one file', value: bytes / 1000, unit: 'kB', bar: form.bars.kilobytes }]
  },
})

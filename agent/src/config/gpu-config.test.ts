import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGpus } from './gpu-config.ts'
import type { OptionReader } from './option-reader.ts'

function read(values: Readonly<Record<string, string>>) {
  const problems: string[] = []
  const remarks: string[] = []
  const reader: OptionReader = {
    given: (name) => values[name],
    text: (name) => values[name]?.trim() || undefined,
    refuse: (problem) => {
      problems.push(problem)
    },
    remark: (text) => {
      remarks.push(text)
    },
    fileText: () => undefined,
  }
  return { setting: readGpus(reader), problems, remarks }
}

const ALL = ['nvidia', 'amd', 'intel']

for (const [values, setting, remarks] of [
  [{}, { mode: 'on', makers: ALL }, 0],
  [{ SKIP_GPU: 'true' }, { mode: 'off' }, 0],
  [{ SKIP_GPU: 'false', AMD_SYSFS: 'true' }, { mode: 'on', makers: ALL }, 0],
  [{ NVML: 'true' }, { mode: 'on', makers: ALL }, 1],
  [{ GPU_COLLECTOR: 'amd_sysfs, nvidia-smi' }, { mode: 'on', makers: ['amd', 'nvidia'] }, 0],
  [{ GPU_COLLECTOR: 'rocm-smi,intel_gpu_top' }, { mode: 'on', makers: ['amd', 'intel'] }, 1],
  [{ GPU_COLLECTOR: 'nvtop' }, { mode: 'on', makers: ALL }, 1],
  [{ GPU_COLLECTOR: 'macmon' }, { mode: 'on', makers: [] }, 1],
] as const) {
  test(`readGpus reads ${JSON.stringify(values)}`, () => {
    const result = read(values)
    assert.deepEqual([result.setting, result.problems, result.remarks.length], [setting, [], remarks])
  })
}

test('readGpus refuses unknown values', () => {
  assert.match(read({ GPU_COLLECTOR: 'nvidia-smi,voodoo' }).problems.join(), /GPU_COLLECTOR: "voodoo" is not one of nvidia-smi/)
  assert.match(read({ SKIP_GPU: 'maybe' }).problems.join(), /SKIP_GPU: "maybe"/)
})

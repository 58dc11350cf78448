import { readFileSync, writeFileSync } from 'node:fs'
import { diceOf } from '../../agent/fuzz/mutations.ts'
import { encodeCbor } from '../src/cbor/encode.ts'
import { inheritedNames } from '../test/hostile-names.ts'
import { nodeUtf8 } from '../test/node-utf8.ts'
import { fromHex, toHex } from '../test/recorded.ts'
import { watchCode } from './covered-code.ts'
import { fuzz } from './fuzz-loop.ts'

// Runs in a process of its own, without a compile cache: V8 watches only code that it compiles itself.
const [name = '', secondsText = '1', seedText = '1', keep = ''] = process.argv.slice(2)

/** URL of the file with the corpus of one fuzzing target: its seeds and the inputs found so far, one per line in hexadecimal digits. */
const corpusFile = new URL(`corpus/${name}.txt`, import.meta.url)

const pieces = [
  ...inheritedNames,
  '"',
  '{',
  '[',
  '{"stats":{"',
  '"efs":{"__proto__":{"d":1}}',
  'null',
  '1e999',
  '-0',
  '\\ud800',
  '\uFEFF',
  '['.repeat(5000),
  '{"efs":'.repeat(1000),
]
const dictionary = [
  ...pieces.map((piece) => nodeUtf8.encode(piece)),
  ...inheritedNames.map((one) => encodeCbor(one, nodeUtf8)),
  ...['a1', 'a100', 'bf', 'ff', '9f', '9bffffffffffffffff', 'bbffffffffffffffff', '5f', '7f', 'fb7ff0000000000000', 'f97e00', 'c2'].map(
    fromHex,
  ),
]

const say = (line: string) => process.stdout.write(`${line}\n`)

const code = watchCode((url) => url.includes('/protocol/src/') || url.includes('/planted-fault.ts'))
const targets = name === 'planted' ? await import('./planted-fault.ts') : await import('./targets.ts')
const target = new Map<string, (bytes: Uint8Array) => void>(Object.entries(targets)).get(name)
if (target === undefined) throw new Error(`There is no target ${name}`)

const seeds =
  name === 'planted'
    ? []
    : readFileSync(corpusFile, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map(fromHex)
const endsAtMs = performance.now() + Number(secondsText) * 1000
const { runs, corpus, fault } = fuzz({
  target,
  seeds,
  dictionary,
  code,
  dice: diceOf(Number(seedText)),
  isOver: () => performance.now() > endsAtMs,
})
say(`${name}: ${runs} runs, ${corpus.length} inputs reach ${code.characters()} characters of code, seed ${seedText}`)
code.close()
if (fault !== undefined) {
  say(`fault: ${toHex(fault.input)}\n${fault.error instanceof Error ? (fault.error.stack ?? fault.error.message) : String(fault.error)}`)
  process.exitCode = 1
} else if (keep === '--keep') writeFileSync(corpusFile, corpus.map((input) => `${toHex(input)}\n`).join(''))

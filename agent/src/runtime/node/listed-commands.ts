import { isDevicePath, isDeviceType } from '../command.ts'

/** List of the arguments of `nvidia-smi` that print one line for each GPU every 4 s. */
const nvidiaLoop = [
  '--query-gpu=index,name,temperature.gpu,memory.used,memory.total,utilization.gpu,power.draw',
  '--format=csv,noheader,nounits',
  '-l',
  '4',
]

/**
 * Returns true when a command may be started: its program and each argument match the fixed list of `smartctl` and `nvidia-smi` calls. The
 * runtime starts no other command.
 */
export function isListedCommand([program, ...words]: readonly string[]): boolean {
  if (program === 'nvidia-smi') return isSame(words, nvidiaLoop)
  return program === 'smartctl' && (isSame(words, ['--scan', '-j']) || readsDrive(words))
}

/**
 * Returns true when these command line arguments make smartctl(8) read one drive: `[-d TYPE] -a --json=c [-l devstat] [-n standby] DEVICE`.
 */
function readsDrive(words: readonly string[]): boolean {
  const [option, type = ''] = words
  const typed = option === '-d' && isDeviceType(type) ? words.slice(2) : words
  if (!startsWith(typed, ['-a', '--json=c'])) return false
  const [device = '', ...more] = without(without(typed.slice(2), ['-l', 'devstat']), ['-n', 'standby'])
  return more.length === 0 && isDevicePath(device)
}

const startsWith = (words: readonly string[], prefix: readonly string[]): boolean => prefix.every((word, index) => words[index] === word)
const isSame = (words: readonly string[], others: readonly string[]): boolean => words.length === others.length && startsWith(words, others)
const without = (words: readonly string[], prefix: readonly string[]): readonly string[] =>
  startsWith(words, prefix) ? words.slice(prefix.length) : words

import { type ByteReader, type ByteWriter, DamagedBytesError } from '../../platform/byte-codec.ts'

const MOST_TIMES = 1_000_000

/**
 * Writes ascending times (epoch ms) to an encoded history block as second differences (delta of delta). For a sample every minute, each
 * time takes one byte.
 */
export function writeTimes(writer: ByteWriter, times: readonly number[]): void {
  writer.integer(times.length)
  let [last, step] = [0, 0]
  for (const time of times) {
    writer.signed(time - last - step)
    step = last === 0 ? 0 : time - last
    last = time
  }
}

/**
 * Decodes the times (epoch ms) in a history block, which {@link writeTimes} wrote. Throws {@link DamagedBytesError} if they do not ascend.
 */
export function readTimes(reader: ByteReader): readonly number[] {
  const length = reader.count(1)
  if (length > MOST_TIMES) throw new DamagedBytesError(`it says ${length} times`)
  const times: number[] = []
  let [last, step] = [0, 0]
  for (let at = 0; at < length; at++) {
    const time = last + step + reader.signed()
    if (at > 0 && time <= last) throw new DamagedBytesError('its times do not ascend')
    step = last === 0 ? 0 : time - last
    last = time
    times.push(time)
  }
  return times
}

import { open, type FileHandle } from 'node:fs/promises'
import { errorCode } from '../../../platform/error-code.ts'

/**
 * Length in bytes (32) of the header of a SQLite WAL (https://www.sqlite.org/fileformat2.html#walformat). Frames follow it, each with a
 * header of its own of 24 bytes (`FRAME_HEADER_BYTES`).
 */
const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** Magic number at the start of a SQLite WAL. Its lowest bit is 1 when checksums use big-endian words. */
const MAGIC = 0x377f0682
const FORMAT = 3_007_000
const LARGEST_PAGE = 65_536

/**
 * Position of damage in a SQLite WAL: the number of the first damaged frame, from 0, or -1 for the header. `salts` are the WAL's random
 * numbers, which change whenever SQLite starts the file again.
 */
type WalDamage = { readonly frame: number; readonly salts: string }

/**
 * Resolves to true when the WAL at a path has committed transactions that SQLite would silently ignore, because its header or a frame is
 * damaged. A torn frame at the end is normal after a crash. A missing WAL is not damaged.
 */
export async function isWalDamaged(path: string): Promise<boolean> {
  const first = await findDamage(path)
  if (first === undefined) return false
  // A program that writes meanwhile may have torn a frame for a moment, so the same damage must be there twice.
  const second = await findDamage(path)
  return second?.frame === first.frame && second.salts === first.salts
}

async function findDamage(path: string): Promise<WalDamage | undefined> {
  try {
    await using file = await open(path, 'r')
    const { size } = await file.stat()
    if (size <= HEADER_BYTES) return undefined
    return await findDamagedFrame(file, size)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

type WalHeader = {
  readonly isBigEndian: boolean
  readonly frameBytes: number
  readonly salts: string
  /**
   * Checksum of the SQLite WAL's header, a pair of 32-bit numbers. The running checksum of the frames starts from it. `undefined` for an
   * invalid header.
   */
  readonly sum: Checksum | undefined
}

type Checksum = readonly [number, number]

async function findDamagedFrame(file: FileHandle, size: number): Promise<WalDamage | undefined> {
  const { isBigEndian, frameBytes, salts, ...header } = readHeader(await readAt(file, 0, HEADER_BYTES))
  let sum = header.sum
  if (sum === undefined) return { frame: -1, salts }
  let broken: number | undefined
  for (let frame = 0; HEADER_BYTES + (frame + 1) * frameBytes <= size; frame += 1) {
    const bytes = await readAt(file, HEADER_BYTES + frame * frameBytes, frameBytes)
    const isOwn = bytes.toString('latin1', 8, 16) === salts
    const isOwnCommit = isOwn && bytes.readUInt32BE(4) !== 0
    if (broken !== undefined) {
      if (isOwnCommit) return { frame: broken, salts }
      continue
    }
    sum = checksum(checksum(sum, bytes.subarray(0, 8), isBigEndian), bytes.subarray(FRAME_HEADER_BYTES), isBigEndian)
    if (isOwn && matches(sum, bytes, 16)) continue
    broken = frame
    // A crash leaves a whole frame over older ones, but at the end of the file only a part of one.
    const isLast = HEADER_BYTES + (frame + 2) * frameBytes > size
    if (isLast && isOwnCommit) return { frame, salts }
  }
  return undefined
}

function readHeader(header: Buffer): WalHeader {
  const magic = header.readUInt32BE(0)
  const isBigEndian = (magic & 1) === 1
  const pageBytes = header.readUInt32BE(8)
  const sum = checksum([0, 0], header.subarray(0, 24), isBigEndian)
  const isValid = (magic & ~1) === MAGIC && header.readUInt32BE(4) === FORMAT && isPageSize(pageBytes) && matches(sum, header, 24)
  const salts = header.toString('latin1', 16, 24)
  return { isBigEndian, frameBytes: FRAME_HEADER_BYTES + pageBytes, salts, sum: isValid ? sum : undefined }
}

const isPageSize = (bytes: number): boolean => bytes >= 512 && bytes <= LARGEST_PAGE && (bytes & (bytes - 1)) === 0

const matches = ([a, b]: Checksum, bytes: Buffer, at: number): boolean => bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b

/**
 * Continues the rolling checksum of a SQLite WAL (two 32-bit numbers) over `bytes`, a multiple of 8, and returns the new one
 * (https://www.sqlite.org/fileformat2.html#checksum_algorithm).
 */
function checksum([first, second]: Checksum, bytes: Buffer, isBigEndian: boolean): Checksum {
  let a = first
  let b = second
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0
    b = (b + (isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0
  }
  return [a, b]
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  // A program that begins the WAL again truncates it; the missing bytes are no frame then.
  return bytesRead === length ? buffer : buffer.fill(0, bytesRead)
}

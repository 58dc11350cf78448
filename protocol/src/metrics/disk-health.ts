/**
 * Self-reported health of a drive, RAID array or ZFS pool. Sources: `smartctl --json`; sysfs for eMMC and md arrays; /proc/spl/kstat/zfs
 * for ZFS pools.
 */
export type DiskHealth = {
  /** Id of the drive: its serial number; `mdraid:md0`, `zpool:tank`, or a device path if it has no serial number. */
  readonly id: string
  readonly model?: string
  readonly serial?: string
  readonly firmware?: string
  readonly capacityBytes?: number
  readonly status: DiskHealthStatus
  /** Device path, such as `/dev/sda`. */
  readonly device?: string
  /** Drive type: `sat`, `nvme` or `scsi` as in smartctl; also `emmc`, `mdraid` and `zpool`. */
  readonly type?: string
  readonly celsius?: number
  /** Age in ms of these values, if they were read earlier because the drive sleeps or did not respond. Only Vedette agents send it. */
  readonly ageMs?: number
  readonly attributes?: readonly DiskAttribute[]
}

export type DiskHealthStatus = 'PASSED' | 'WARNING' | 'FAILED' | 'UNKNOWN'

export type DiskAttribute = {
  /** ATA attribute number. NVMe and SCSI counters have none. */
  readonly id?: number
  readonly name: string
  /** Current normalised value of the ATA attribute, 0 to 255 on the vendor's scale. Lower is worse. */
  readonly value?: number
  readonly worst?: number
  readonly threshold?: number
  readonly raw: number
  readonly rawText?: string
  /** Text: state of an attribute that is or was at or below its threshold, `now` or `past`. Absent for a good attribute. */
  readonly failed?: string
}

/** Result of reading all drives. `complete` is true when every known drive was read; a drive that is then missing has been removed. */
export type DiskHealthReport = { readonly devices: readonly DiskHealth[]; readonly complete: boolean }

/**
 * Self-reported health of a drive, array or pool. Source: `smartctl --json`; for eMMC and md arrays sysfs; for
 * ZFS pools /proc/spl/kstat/zfs.
 */
export type DiskHealth = {
  /** Identifies the drive: its serial number; `mdraid:md0`, `zpool:tank`, or a device path where there is no serial number. */
  readonly id: string
  readonly model?: string
  readonly serial?: string
  readonly firmware?: string
  readonly capacityBytes?: number
  readonly status: DiskHealthStatus
  /** Device path, such as `/dev/sda`. */
  readonly device?: string
  /** Type by smartctl's name: `sat`, `nvme`, `scsi`; ours: `emmc`, `mdraid`, `zpool`. */
  readonly type?: string
  readonly celsius?: number
  /** Age of all these values, if they are from an earlier reading: the drive sleeps or did not respond. Ours. */
  readonly ageMs?: number
  readonly attributes?: readonly DiskAttribute[]
}

export type DiskHealthStatus = 'PASSED' | 'WARNING' | 'FAILED' | 'UNKNOWN'

export type DiskAttribute = {
  /** ATA attribute number; NVMe and SCSI counters have none. */
  readonly id?: number
  readonly name: string
  /** Normalised values 0–255, vendor's scale. */
  readonly value?: number
  readonly worst?: number
  readonly threshold?: number
  readonly raw: number
  readonly rawText?: string
  /** When it was at or below its threshold: `now` or `past`. */
  readonly failed?: string
}

/** `complete`: every drive that was found could be read, so one that is missing is gone. */
export type DiskHealthReport = { readonly devices: readonly DiskHealth[]; readonly complete: boolean }

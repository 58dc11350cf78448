/**
 * A drop-in for the unit of the service, systemd.unit(5): the rights that opening a drive needs. SG_IO for ATA drives needs CAP_SYS_RAWIO, admin commands
 * of NVMe need CAP_SYS_ADMIN, and the files below /dev belong to root (CAP_DAC_OVERRIDE). The agent itself drops the three with capset(2); only
 * the programs that it starts have them.
 */
export const DRIVE_ACCESS_LINES: readonly string[] = [
  '[Service]',
  'AmbientCapabilities=CAP_SYS_RAWIO CAP_SYS_ADMIN CAP_DAC_OVERRIDE',
  'CapabilityBoundingSet=CAP_SYS_RAWIO CAP_SYS_ADMIN CAP_DAC_OVERRIDE',
  'SystemCallFilter=capset',
  'DeviceAllow=block-sd rw',
  'DeviceAllow=block-blkext rw',
  'DeviceAllow=char-nvme rw',
]

const FOLDER = '/etc/systemd/system/vedette-agent.service.d'

/** A line for root's shell that writes the drop-in and starts the service again. */
export const DRIVE_ACCESS_COMMAND = [
  `mkdir -p ${FOLDER}`,
  `printf '%s\\n' ${DRIVE_ACCESS_LINES.map((line) => `'${line}'`).join(' ')} > ${FOLDER}/drives.conf`,
  'systemctl daemon-reload',
  'systemctl restart vedette-agent',
].join(' && ')

/** Shapes of the admin API, as host/console/openapi.yaml describes them. Lengths are metres in venue coordinates, y up; angles radians about y. */

/** x, y, z in metres. */
export type Point = [number, number, number];
/** x, z in metres. */
export type Corner = [number, number];

/** A rectangle on a floor: a room, a zone, a region. */
export interface Area { name: string; floor: string; min: Corner; max: Corner; door?: string }
/** A floor of the venue. */
export interface FloorInfo { name: string; min: Corner; max: Corner; y: number; height: number }
/** A class of objects. */
export interface Kind { name: string; grabbable: boolean; usable: boolean; shape: "box" | "sphere" | "cylinder"; size: Point; color: string }
/** A door as the manifest has it. */
export interface DoorInfo { name: string; width: number; yaw: number; zone: string }
/** Where visitors appear. */
export interface Spawn { name: string; floor: string; at: Point; radius: number }

/** What does not change while the host runs. */
export interface Venue {
  id: string; name: string; version: string; started: string; tick_hz: number; send_hz: number; users_limit: number;
  floors: FloorInfo[]; rooms: Area[]; zones: Area[]; regions: Area[]; spawns: Spawn[]; kinds: Kind[]; doors: DoorInfo[];
  labels: Record<string, string>;
}

/** A session at the gateway. */
export interface Client {
  session: string; entity?: string; user: string; name: string; region: string; load: boolean; connected: boolean; since: string;
  lane: string; round_trip_ms: number; loss: number; throttled: boolean; up_hz: number; down_hz: number; up_bytes_s: number; down_bytes_s: number;
}

/** A region of the venue at its node. */
export interface Region {
  name: string; state: string; why?: string; tick: number; durable_tick: number; users: number; objects: number; restarts: number; backlog: number;
  store_fault?: string; tick_mean_us: number; tick_p99_us: number;
}

/** A rule plugin in one region. */
export interface Rule {
  rule: string; region: string; plugin: string; version: string; digest: string; source: "file" | "upload"; previous?: string; problem?: string;
  calls: number; call_mean_us: number; call_p99_us: number; faults: number; last_fault?: string; quarantined: boolean;
}
/** A name that modules were uploaded under. */
export interface RuleSummary { name: string; owner: string; versions: number; newest?: string; in_venue: boolean }
/** What runs where, and what was uploaded. */
export interface Rules { rules: Rule[]; names: RuleSummary[] }
/** An uploaded version of a rule. */
export interface RuleVersion {
  version: string; digest: string; plugin: string; description?: string; size_bytes: number; uploaded: string; by: string; signed_by?: string; class: string;
  schema: number; events: string[]; commands: string[]; views: string[]; needs: string[]; regions: string[];
}
/** One rule, or one name that modules were uploaded under. */
export interface RuleDetail { name: string; in_venue: boolean; owner?: string; plugin?: string; versions: RuleVersion[]; regions: Rule[] }
/** A module as it was named at the time. */
export interface ModuleName { plugin: string; version: string; digest: string }
/** A change of what a region runs. */
export interface RuleSwap { time: string; region: string; tick?: number; from?: ModuleName; to: ModuleName; by: string; reason: string; returned: boolean }
/** A rule's state in a region at a glance. */
export interface RuleState { bytes: number; keys: number; hash: string }
/** A failed call of a rule. */
export interface RuleFault {
  time: string; region: string; tick: number; module: ModuleName; kind: string; message: string; session?: string; quarantined: boolean;
  before: RuleState; after: RuleState;
}
/** One reason why a module is refused. */
export interface Problem { code: string; message: string }
/** The answer to an upload. */
export interface Uploaded {
  message: string; version: RuleVersion;
  report: { size_bytes: number; functions: number; memory_pages: number; fuel_per_event: number; compile_ms: number; peak_memory_bytes: number; imports: string[] };
}
/** A score board at a glance. */
export interface BoardSummary { board: string; users: number }
/** What somebody scored. */
export interface Total { user: string; points: number }
/** The best of a score board. */
export interface Board { board: string; users: number; top: Total[] }

/** A key of the configuration in force. */
export interface Setting { key: string; value: string; secret: boolean }
/** A line of the log. */
export interface LogLine { n: number; time: string; level: string; message: string; fields: string }

/** One second of the series. time is in seconds since 1970. */
export interface Sample { time: number; users: number; away: number; tick_p99_us: number; up_bytes_s: number; down_bytes_s: number; pose_age_ms: number }

/** A person, an object or a door on the map. */
export interface Thing {
  id: string; kind: "person" | "object" | "door"; name: string; user?: string; session?: string; region: string; floor: string; class?: number;
  p: Point; yaw: number; away?: boolean; holder?: string; hand?: "left" | "right"; value?: number; locked?: boolean;
}
/** A thing that moved and did not change otherwise. */
export interface Moved { id: string; p: Point; yaw: number }
/** Everything on the map. */
export interface MapState { things: Thing[] }
/** What is different on the map; what is not named is as it was. */
export interface MapChange { changed: Thing[]; moved: Moved[]; gone: string[] }

/** The answer to an action; regions are of an activation. */
export interface Done { message: string; tick?: number; changed?: boolean; regions?: { region: string; ok: boolean; why?: string }[] }

// Package sim is a cluster in one thread: nodes, gateways with clients, coordinators and a store, over the real machines of package
// migration, real regions and the store's contract, under a virtual clock. Everything that happens follows from a seed. The network drops,
// doubles, delays and reorders; processes crash, stand still and are cut off; clocks differ; the store is away or its answers are lost;
// failpoints hold or kill at every step of a move. Then everything is well for a while, and what came of it is checked.
//
// docs/simulator.md says what is checked, and which planted faults it is known to find.
package sim

package cluster

import "github.com/venued/venued/host/store"

// claim is a region that nobody has and who is to take it.
type claim struct {
	region, node string
	after        uint64 // the region's epoch
}

func routeOf(r *store.Roll, region string) *store.Route {
	for i := range r.Routes {
		if r.Routes[i].Region == region {
			return &r.Routes[i]
		}
	}
	return nil
}

// ownerOf returns the living node that has a region, "" when there is none.
func ownerOf(r *store.Roll, region string) string {
	route := routeOf(r, region)
	if route == nil {
		return ""
	}
	if m := r.Member(route.Owner); m == nil || !m.Has(RoleNode) {
		return ""
	}
	return route.Owner
}

// assign says which node takes which of the regions that no living node has: the one with the fewest, then the first by name; regions in their
// order. Everybody who has the same roll gets the same answer. Nodes that drain take nothing, and what they have counts as theirs.
func assign(r *store.Roll, regions []string) []claim {
	has := map[string]int{}
	for _, region := range regions {
		if owner := ownerOf(r, region); owner != "" {
			has[owner]++
		}
	}
	var claims []claim
	for _, region := range regions {
		if ownerOf(r, region) != "" {
			continue
		}
		to := ""
		for i := range r.Members { // by name
			m := &r.Members[i]
			if m.Has(RoleNode) && !m.Draining && (to == "" || has[m.Name] < has[to]) {
				to = m.Name
			}
		}
		if to == "" {
			return nil
		}
		has[to]++
		c := claim{region: region, node: to}
		if route := routeOf(r, region); route != nil {
			c.after = route.Epoch
		}
		claims = append(claims, c)
	}
	return claims
}

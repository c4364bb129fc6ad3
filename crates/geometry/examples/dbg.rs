use carom_geometry::hull::*; use glam::*;
fn main(){
 let p=[[0.299788426398789,-0.7596280723684604,-0.20953529930359274],[-0.35120639275313714,0.8936195296653122,0.24734618925619276],[-0.10209004590625365,0.26292560046007646,0.07349847658276859],[-0.26035849287224183,0.6656244313357316,0.18496244588914698],[0.0018025519504695313,0.0008003410292222732,-0.00033205527070341877],[0.27872650573694746,-0.706035004685803,-0.19470145852179105]];
 let w:Vec<DVec3>=p.iter().map(|&p|DVec3::from(p)).collect();
 let n:Vec<Vec3>=w.iter().map(|p|p.as_vec3()).collect();
 let h=convex_hull(&n,&HullOptions::default()).unwrap();
 println!("{:?} tol {:e}",h.check(),h.tolerance());
 for f in h.faces(){ println!("{f:?} {:?} {}",h.face_vertices(f).map(|v|v.0).collect::<Vec<_>>(), h.plane(f).normal);
  for v in h.vertices(){ print!(" {:e}", h.plane(f).signed_distance(h.point(v))); } println!(); }
 let tri=convex_hull(&w,&HullOptions::default()).unwrap();
 println!("f64 {:?}",tri.check());
 for f in tri.faces(){ println!("{f:?} {:?} {}",tri.face_vertices(f).map(|v|v.0).collect::<Vec<_>>(), tri.plane(f).normal);
  for v in tri.vertices(){ print!(" {:e}", tri.plane(f).signed_distance(tri.point(v))); } println!(); }
}
